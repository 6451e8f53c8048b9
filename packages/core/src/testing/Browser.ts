/** Users with a browser, who have cookies instead of keys and read system emails. For tests. */
import { Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { openLink } from "../accounts/systemmail/SealedLinks.ts"
import { eventually } from "./Eventually.ts"
import { send } from "./TestClient.ts"

/**
 * The value that a response sets the session cookie to. Empty when it removes the cookie, undefined when it leaves it.
 */
export const cookieOf = (headers: Headers): string | undefined =>
  /(?:^|, )(?:__Host-)?posthorn_session=([^;]*)/.exec(headers.getSetCookie().join(", "))?.[1]

/** A request with a session and without a key. */
export const browse = (
  cookie: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {}
) =>
  send(method, path, body, {
    authorization: "",
    ...(cookie && { cookie: `__Host-posthorn_session=${cookie}` }),
    ...headers
  })

export const password = "correct horse battery"

let last = 0
/** An address that no test has used yet. */
export const newAddress = (name: string): string => `${name}-${++last}@example.com`

/** A new account, logged in, with an unconfirmed address. */
export const signUp = Effect.fnUntraced(function* (email: string) {
  const { status, headers, body } = yield* browse("", "POST", "/auth/signup", { email, password })
  if (status !== 201) return yield* Effect.die(new Error(`No account for ${email}: ${JSON.stringify(body)}`))
  return { id: String(body.data.id), email, cookie: cookieOf(headers) ?? "" }
})

const emails = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ subject: Schema.String, body: Schema.String, link: Schema.NullOr(Schema.String) }))
)

/** System emails to an address, oldest first. */
export const emailsTo = Effect.fnUntraced(function* (email: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* emails(
    yield* sql`select subject, body, link from system_mails where recipient = ${email} order by id`
  )
  return yield* Effect.forEach(found, ({ subject, body, link }) =>
    Effect.map(link === null ? Effect.succeed("") : openLink(email, link), (opened) => ({
      subject,
      body: `${body}\n\n${opened}`.trimEnd()
    }))
  )
}, Effect.orDie)

/** The token in the last email to an address. */
export const tokenFor = (email: string) =>
  Effect.map(emailsTo(email), (found) => /token=([\w-]{43})/.exec(found.at(-1)?.body ?? "")?.[1] ?? "")

/** A new account with a confirmed address. */
export const person = Effect.fnUntraced(function* (name: string) {
  const someone = yield* signUp(newAddress(name))
  const { status } = yield* browse("", "POST", "/auth/verify-email", { token: yield* tokenFor(someone.email) })
  if (status !== 200) return yield* Effect.die(new Error(`${someone.email} was not confirmed`))
  return someone
})

/**
 * Advances the clock until the change is done: a settled change waits for the caches of processes, two seconds at most.
 * After that the clock goes no faster than real time, so that a slow machine does not pass the time limit of the
 * change.
 */
export const settled = Effect.fnUntraced(function* <A, E, R>(change: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(change)
  let looks = 0
  yield* eventually(
    Effect.andThen(
      Effect.suspend(() => TestClock.adjust(looks++ < 15 ? "200 millis" : "10 millis")),
      Effect.sync(() => fiber.pollUnsafe())
    ),
    (exit) => exit !== undefined
  )
  return yield* Fiber.join(fiber)
})

/** Creates a project of the user. */
export const newProject = (cookie: string, name = "Shop") =>
  Effect.map(browse(cookie, "POST", "/users/@me/projects", { name }), ({ body }) => ({
    id: String(body.id),
    secret: String(body.secret),
    publicKey: String(body.public)
  }))

/** Emails an invitation. */
export const invite = (owner: string, project: string, email: string, role: "ADMIN" | "MEMBER") =>
  browse(owner, "POST", `/projects/${project}/members`, { email, role })

/** Makes a user a member: invites the user, who accepts. */
export const addMember = Effect.fnUntraced(function* (
  owner: string,
  project: string,
  someone: { readonly email: string; readonly cookie: string },
  role: "ADMIN" | "MEMBER"
) {
  yield* invite(owner, project, someone.email, role)
  const token = yield* tokenFor(someone.email)
  const { status, body } = yield* browse(someone.cookie, "POST", "/invitations/accept", { token })
  if (status !== 200) return yield* Effect.die(new Error(`${someone.email} did not join: ${JSON.stringify(body)}`))
})

/** Transfers a project to one of its members, who accepts. */
export const handOver = Effect.fnUntraced(function* (
  owner: string,
  project: string,
  heir: { readonly id: string; readonly email: string; readonly cookie: string }
) {
  yield* browse(owner, "PATCH", `/projects/${project}/members/${heir.id}`, { role: "OWNER" })
  const token = yield* tokenFor(heir.email)
  const { status, body } = yield* browse(heir.cookie, "POST", "/invitations/accept", { token })
  if (status !== 200) return yield* Effect.die(new Error(`${heir.email} did not take over: ${JSON.stringify(body)}`))
})
