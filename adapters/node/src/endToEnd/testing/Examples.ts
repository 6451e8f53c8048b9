/** What an endpoint takes when all is well, where new resources for its ids are not enough. */
import { Effect } from "effect"
import { eventually } from "../../testing/Program.ts"
import { csvForm, emailOf, send } from "./Caller.ts"
import { Documented, from, type Sent } from "./Documented.ts"
import { neededBodies } from "./Resources.ts"

const hello = { from, subject: "Hello {{name}}", body: "<p>Hello</p>" }

const nobodys = "019a0000-0000-7000-8000-00000000ffff"

const json = (body: unknown): Sent => ({ text: JSON.stringify(body) })

/** A new mail, once it is in the state that the endpoint wants. */
const mailTo = Effect.fnUntraced(function* (recipient: string, status: string) {
  const { caller, next } = yield* Documented
  const [id = ""] = yield* send(caller, { ...hello, to: `${recipient}-${next()}@example.org` })
  yield* eventually(emailOf(caller, id), (email) => email.attempts === 1 && email.status === status)
  return { ids: { "/emails": id } }
})

export const examples: { readonly [operation: string]: Effect.Effect<Sent, never, Documented> } = {
  track: Effect.succeed(json({ email: "anna@example.org", event: "signup", data: { plan: "pro" } })),
  "events.track": Effect.succeed(json({ email: "anna@example.org", event: "signup" })),
  send: Effect.succeed(json({ ...hello, to: "anna@example.org" })),
  verify: Effect.succeed(json({ email: "anna@example.org" })),
  "contacts.upsert": Effect.succeed(json({ email: "new@example.org", data: { plan: "pro" } })),
  "contacts.update": Effect.map(Documented, ({ next }) => json({ email: `moved-${next()}@example.org` })),
  "segments.create": Effect.succeed(
    json({
      name: "Pro",
      condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] },
      trackMembership: true
    })
  ),
  "segments.addMembers": Effect.succeed(json(neededBodies["segments.addMembers"])),
  "segments.removeMembers": Effect.succeed(json(neededBodies["segments.removeMembers"])),
  "contacts.lookup": Effect.succeed(json({ emails: ["anna@example.org", "nonsense"] })),
  "contacts.import": Effect.succeed(csvForm("email,plan\r\nimported@example.org,pro")),
  "contacts.bulkSubscribe": Effect.succeed(json({ contactIds: [nobodys] })),
  "contacts.bulkUnsubscribe": Effect.succeed(json({ contactIds: [nobodys] })),
  "contacts.bulkDelete": Effect.succeed(json({ contactIds: [nobodys] })),
  "templates.create": Effect.succeed(json({ ...hello, name: "News" })),
  "domains.add": Effect.succeed(json({ domain: "new.example.com" })),
  "emails.cancel": mailTo("deferred", "PENDING"),
  "emails.retry": mailTo("refused", "FAILED")
}
