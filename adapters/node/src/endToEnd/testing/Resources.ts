/** One resource of each kind, made through the API: what the ids in its paths stand for. */
import { Effect, Schema } from "effect"
import { body } from "../../testing/ApiCall.ts"
import { type Caller, request, send, succeed } from "./Caller.ts"
import { addressOf } from "./Installation.ts"

/** By the path in front of the parameter that they stand for. */
export interface Ids {
  readonly [prefix: string]: string
}

const WithId = Schema.Struct({ id: Schema.String })

const created = (caller: Caller, path: string, body: Record<string, unknown>) =>
  Effect.map(succeed(201, WithId, caller, "POST", path, body), ({ id }) => id)

/** Somebody with an account, who is a member where they are needed. */
export const colleague = "Colleague"

const Members = Schema.Struct({
  data: Schema.Array(Schema.Struct({ userId: Schema.NullOr(Schema.String), email: Schema.String }))
})

const member = Effect.fnUntraced(function* (caller: Caller) {
  const path = `/projects/${caller.projectId}/members`
  yield* request(caller, "POST", path, { email: addressOf(colleague) })
  const { data } = yield* Effect.flatMap(request(caller, "GET", path), (answer) => body(answer, Members))
  return data.find(({ email }) => email === addressOf(colleague))?.userId ?? ""
})

const Invited = Schema.Struct({ data: Schema.Struct({ invitationId: Schema.String }) })

/** One at a time: a project has room for a hundred. */
const invitation = (caller: Caller) =>
  Effect.map(
    succeed(201, Invited, caller, "POST", `/projects/${caller.projectId}/members`, { email: "invited@example.org" }),
    ({ data }) => data.invitationId
  )

/** By prefix; `from` is an address that the project may send from, `n` makes it a new one. */
export const makers: {
  readonly [prefix: string]: (caller: Caller, from: string, n: number) => Effect.Effect<string>
} = {
  "/contacts": (caller, _from, n) => created(caller, "/contacts", { email: `contact-${n}@example.org` }),
  "/templates": (caller, from, n) =>
    created(caller, "/templates", { name: `Template ${n}`, subject: "Hello", body: "<p>Hello</p>", from }),
  "/domains": (caller, _from, n) => created(caller, "/domains", { domain: `domain-${n}.example.com` }),
  "/domains/project": (caller) => Effect.succeed(caller.projectId),
  "/projects": (caller) => Effect.succeed(caller.projectId),
  "/projects/{id}/members": member,
  "/projects/{id}/invitations": invitation,
  "/emails": (caller, from, n) =>
    Effect.map(
      send(caller, { from, to: `email-${n}@example.org`, subject: "Hello", body: "<p>Hello</p>" }),
      ([id = ""]) => id
    )
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
