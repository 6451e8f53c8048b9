/** Creates one resource of each kind with valid requests, so that invalid ones find something to damage. */
import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import type { Known } from "./Known.ts"
import type { Credentials } from "./Requests.ts"

/** `number` makes the names unique. Values in the answers are then known. */
export const make = Effect.fnUntraced(function* (
  url: string,
  { publicKey, secretKey }: Credentials,
  known: Known,
  domain: string,
  number: number
) {
  const from = `hello@${domain}`
  const email = `thing-${number}@example.org`
  const name = `Thing ${number}`

  const call = Effect.fnUntraced(function* (path: string, at: string, method: string, init: RequestInit) {
    const answer = yield* Effect.promise(async () => {
      const response = await fetch(`${url}${path}`, { method, ...init })
      return { status: response.status, text: await response.text() }
    })
    if (answer.status >= 300) {
      return yield* new BenchFailure({ message: `${method} ${path} was answered ${answer.status} ${answer.text}` })
    }
    known.learn(at, JSON.parse(answer.text))
    return /"id":"([^"]+)"/.exec(answer.text)?.[1] ?? ""
  })

  const ask = (path: string, body: object, { at = path, key = secretKey, method = "POST" } = {}) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    return call(path, at, method, { headers, body: JSON.stringify(body) })
  }

  const form = (path: string, name: string, filename: string, content: string) => {
    const body = new FormData()
    body.set(name, new File([content], filename))
    return call(path, path, "POST", { headers: { authorization: `Bearer ${secretKey}` }, body })
  }

  const filters = [{ field: "data.plan", operator: "equals", value: "team" }]
  const contact = yield* ask("/contacts", { email, data: { plan: "team" } })
  yield* ask("/segments", { name, condition: { logic: "AND", groups: [{ filters }] } })
  const mail = { name, subject: "Hello", body: "<p>Hello {{plan}}</p>", from }
  const templateId = yield* ask("/templates", { ...mail, type: "TRANSACTIONAL" })
  yield* ask("/campaigns", { ...mail, audienceType: "ALL" })
  const workflow = yield* ask("/workflows", { name, eventName: "ordered" })
  const steps = [
    { type: "SEND_EMAIL", name: "Mail", templateId },
    { type: "DELAY", name: "Rest", config: { amount: 1, unit: "hours" } }
  ]
  for (const step of steps) yield* ask(`/workflows/${workflow}/steps`, step, { at: "/workflows/{id}/steps" })
  yield* ask(`/workflows/${workflow}`, { enabled: true }, { at: "/workflows/{id}", method: "PATCH" })
  yield* ask(`/workflows/${workflow}/executions`, { contactId: contact }, { at: "/workflows/{id}/executions" })
  yield* ask("/webhooks", { url: "https://example.org/hook", events: ["email.sent"] })
  yield* ask("/suppressions", { email: `gone-${number}@example.org` })
  yield* ask("/contacts/bulk-subscribe", { contactIds: [contact] })
  yield* ask("/v1/track", { email, event: "ordered" }, { key: publicKey })
  const send = { to: email, from, subject: "Hello", body: "<p>Hello</p>" }
  yield* ask("/v1/send", send)
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const tags = { order: String(number) }
  yield* ask("/v1/batch", { emails: [{ ...send, tags, scheduledFor: later, cc: [`copy-${number}@example.org`] }] })
  const draft = { at: "/templates/{id}/draft", method: "PUT" }
  yield* ask(`/templates/${templateId}/draft`, { subject: "Hello again" }, draft)
  const people = yield* ask("/segments", { name: `People ${number}`, type: "STATIC" })
  const members = { at: "/segments/{id}/members" }
  yield* ask(`/segments/${people}/members`, { emails: [`member-${number}@example.org`], createMissing: true }, members)
  const variants = [{ key: "A" }, { key: "B", subject: "Another" }]
  const audience = { audienceType: "SEGMENT", segmentId: people }
  const campaign = yield* ask("/campaigns", { ...mail, ...audience, experiment: { variants, testShare: 0.5 } })
  yield* ask(`/campaigns/${campaign}/send`, {}, { at: "/campaigns/{id}/send" })
  yield* form("/contacts/import", "file", "people.csv", `email\r\nimported-${number}@example.org\r\nnobody\r\n`)
  yield* form("/uploads/image", "image", "pixel.gif", `GIF89a\x01\0\x01\0\0\0\0; ${number}`)
  // A project may have fewer of these than a long run asks for.
  yield* ask("/partials", { name: `thing-${number}`, body: "<p>Hello {{plan}}</p>" })
  yield* ask("/views", { page: "mails", name, query: "status=SENT" })
  yield* ask("/topics", { name, defaultSubscription: "unsubscribed" })
  yield* ask("/forms", { name })
  const warm = yield* ask("/domains", { domain: `domain-${number}.example.com` })
  yield* ask(`/domains/${warm}/warmup`, { preset: "FAST" }, { at: "/domains/{id}/warmup", method: "PUT" })
  yield* ask("/api-keys", { name, scopes: ["send"] })
})
