/** One resource of each kind, made through the API: what the ids in its paths stand for. */
import { Effect, Schema } from "effect"
import { body, call } from "../../testing/ApiCall.ts"
import { eventually } from "../../testing/Program.ts"
import { type Caller, csvForm, send, succeed } from "./Caller.ts"

/** By the path in front of the parameter that they stand for. */
export interface Ids {
  readonly [prefix: string]: string
}

const WithId = Schema.Struct({ id: Schema.String })

const created = (caller: Caller, path: string, body: Record<string, unknown>) =>
  Effect.map(succeed(201, WithId, caller, "POST", path, body), ({ id }) => id)

const Queued = Schema.Struct({ jobId: Schema.String })
const Job = Schema.Struct({ state: Schema.String })

/** A job is a resource once nothing changes it any more. */
const ended = Effect.fnUntraced(function* (caller: Caller, prefix: string, jobId: string) {
  yield* eventually(succeed(200, Job, caller, "GET", `${prefix}/${jobId}`), ({ state }) => state === "completed")
  return jobId
})

const imported = Effect.fnUntraced(function* (caller: Caller, email: string) {
  const { text, type } = csvForm(`email\r\n${email}`)
  const answer = yield* call(`${caller.url}/contacts/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${caller.secretKey}`, "content-type": type },
    body: text
  })
  return (yield* body(answer, Queued)).jobId
})

const nobodys = "019a0000-0000-7000-8000-00000000eeee"

/** By prefix; `from` is an address that the project may send from, `n` makes it a new one. */
export const makers: {
  readonly [prefix: string]: (caller: Caller, from: string, n: number) => Effect.Effect<string>
} = {
  "/contacts": (caller, _from, n) => created(caller, "/contacts", { email: `contact-${n}@example.org` }),
  "/segments": (caller, _from, n) => created(caller, "/segments", { name: `Segment ${n}`, type: "STATIC" }),
  "/contacts/fields": () => Effect.succeed("plan"),
  "/contacts/import": (caller, _from, n) =>
    Effect.flatMap(imported(caller, `imported-${n}@example.org`), (id) => ended(caller, "/contacts/import", id)),
  "/contacts/bulk": (caller) =>
    Effect.flatMap(
      succeed(202, Queued, caller, "POST", "/contacts/bulk-subscribe", { contactIds: [nobodys] }),
      ({ jobId }) => ended(caller, "/contacts/bulk", jobId)
    ),
  "/templates": (caller, from, n) =>
    created(caller, "/templates", { name: `Template ${n}`, subject: "Hello", body: "<p>Hello</p>", from }),
  "/domains": (caller, _from, n) => created(caller, "/domains", { domain: `domain-${n}.example.com` }),
  "/events": () => Effect.succeed("signup"),
  "/events/contact": (caller, _from, n) => created(caller, "/contacts", { email: `active-${n}@example.org` }),
  "/domains/project": (caller) => Effect.succeed(caller.projectId),
  "/emails": (caller, from, n) =>
    Effect.map(
      send(caller, { from, to: `email-${n}@example.org`, subject: "Hello", body: "<p>Hello</p>" }),
      ([id = ""]) => id
    )
}

/** Whether a path is about a word, which any project may use and none has for itself, rather than about a resource. */
export const isAboutWord = (path: string): boolean => /\{(?:eventName|field)\}/.test(path)
/** What an endpoint with ids in its path cannot do without, by its operation: the body is judged before the ids are. */
export const neededBodies: { readonly [operation: string]: object } = {
  "segments.addMembers": { emails: ["anna@example.org"], createMissing: true },
  "segments.removeMembers": { emails: ["anna@example.org"] }
}

/** `/workflows/{id}/steps/{stepId}`: `/workflows` and `/workflows/{id}/steps`, the prefixes of its parameters. */
export const prefixesOf = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/\/\{\w+\}/g), ({ index }) => path.slice(0, index))

/** The path with these ids in place of its parameters. */
export const filled = (path: string, ids: Ids): string =>
  prefixesOf(path).reduceRight((found, prefix) => {
    const rest = found.slice(prefix.length).replace(/^\/\{\w+\}/, "")
    return `${prefix}/${ids[prefix] ?? ""}${rest}`
  }, path)
