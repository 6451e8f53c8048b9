/** A server to compare with the document: each answer to any request must be one that the document describes. */
import { assert } from "@effect/vitest"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Context, Effect, Layer } from "effect"
import { type Answer, call, postJson } from "../../testing/ApiCall.ts"
import type { Ended } from "../../testing/Program.ts"
import { addDomain, type Caller } from "./Caller.ts"
import { addressOf, install, password } from "./Installation.ts"
import { deviation, type Operation } from "./Operations.ts"
import { colleague, filled, type Ids, make, prefixesOf, sessionIn } from "./Resources.ts"

export const domain = "mail.example.com"
export const from = `hello@${domain}`

/** A user with a session. */
export interface User {
  readonly project: string
  /** The value of the session cookie; a newer one replaces it. */
  session: string
}

/** Operations that may delete their user, project or session, or fill a limit, so each has a user of its own. */
const ownersOfOne = ["ownProjects.remove"]
const guests = [
  "session.logoutAll",
  "session.requestVerification",
  "users.changePassword",
  "users.createProject",
  "users.remove"
]
/** Operations of a person about a resource that the key makes. */
const ofKeyHolder = ["campaigns.approve", "campaigns.reject"]

export class Documented extends Context.Service<
  Documented,
  {
    readonly caller: Caller
    /** A number that was not used before. */
    readonly next: () => number
    /** The user whose session an operation uses. */
    readonly userOf: (operation: Operation) => User
  }
>()("@posthorn/node/endToEnd/testing/Documented") {}

/** The peer defers messages to `deferred...` and refuses those to `refused...`, for reasons other than the address. */
export const documented: Layer.Layer<Documented, Ended> = Layer.effect(
  Documented,
  Effect.gen(function* () {
    const { account, dns, serve } = yield* install
    const sink = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startSink({
          misbehave: ({ rcpt, stage }) => {
            if (stage !== "dot") return
            if (rcpt.startsWith("deferred")) return { reply: "451 4.3.0 Later" }
            if (rcpt.startsWith("refused")) return { reply: "554 5.7.1 Not this" }
          }
        })
      ),
      (started) => Effect.promise(() => started.close())
    )
    yield* account(colleague)
    const keys = yield* account("Documented")
    const owned = new Map<string, string>()
    for (const name of ["Owned", ...ownersOfOne]) owned.set(name, (yield* account(name)).projectId)
    const { url } = yield* serve({
      POSTHORN_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      POSTHORN_NOTIFICATION_SECRET: "a secret between the server and a relay",
      POSTHORN_STRIPE_SECRET_KEY: "sk_test_0123456789",
      POSTHORN_STRIPE_WEBHOOK_SECRET: "whsec_0123456789",
      POSTHORN_STRIPE_PRICE: "price_1",
      POSTHORN_BILLING_FREE_EMAILS: "1000000",
      POSTHORN_RATE_LIMIT_PER_MINUTE: "100000",
      // Its log is searched for secrets, which must not appear at any level.
      POSTHORN_LOG_LEVEL: "debug"
    })
    const caller = { url, ...keys }
    yield* addDomain(caller, dns, domain)
    const owner = yield* userAfter(url, "login", addressOf("Owned"), owned.get("Owned"))
    const users = new Map<string, User>()
    for (const id of ownersOfOne) users.set(id, yield* userAfter(url, "login", addressOf(id), owned.get(id)))
    for (const id of guests) users.set(id, yield* userAfter(url, "signup", `guest-${users.size}@example.org`))
    const keyHolder = yield* userAfter(url, "login", addressOf("Documented"), keys.projectId)
    for (const id of ofKeyHolder) users.set(id, keyHolder)
    let last = 1
    return Documented.of({ caller, next: () => ++last, userOf: ({ id }) => users.get(id) ?? owner })
  })
)

const userAfter = Effect.fnUntraced(function* (url: string, way: "login" | "signup", email: string, project = "") {
  const { headers, status, text } = yield* postJson(`${url}/auth/${way}`, { email, password })
  assert.isBelow(status, 300, text)
  const user: User = { project, session: sessionIn(headers) ?? "" }
  return user
})

/** The project that a user has from the start. */
const ownProject = "/users/@me/projects"

/** New resources for all ids of a path. */
export const freshFor = Effect.fnUntraced(function* (path: string) {
  const { caller, next } = yield* Documented
  return yield* make(caller, from, prefixesOf(path), next)
})

export const fresh = Effect.fnUntraced(function* (operation: Operation) {
  if (!operation.path.startsWith(`${ownProject}/`)) return yield* freshFor(operation.path)
  const { userOf } = yield* Documented
  return { [ownProject]: userOf(operation).project }
})

export interface Sent {
  readonly ids?: Ids
  readonly query?: string
  /** The body as it is sent. */
  readonly text?: string
  /** Its content type; default: JSON. */
  readonly type?: string
  /** Default: the key that the endpoint takes. */
  readonly key?: string
  /** The value of the session cookie; default: that of the operation's user, if the endpoint takes only a session. */
  readonly session?: string
}

/** Checks that hold for every answer and that the document cannot express. */
const assertDocumented = (operation: Operation, answer: Answer, sent: Sent) => {
  const { headers, status, text } = answer
  const about = `${operation.id} ${JSON.stringify(sent)}`
  assert.strictEqual(deviation(operation, answer) ?? "", "", about)
  assert.strictEqual(headers.get("cache-control"), "no-store", about)
  const { error } = status < 400 ? {} : JSON.parse(text)
  if (error?.code === "INVALID_API_KEY") assert.strictEqual(headers.get("www-authenticate"), "Bearer", about)
  // Three endpoints have a refusal without an envelope.
  if (typeof error === "string") return
  if (status >= 400) assert.include(error, { statusCode: status, requestId: headers.get("x-request-id") }, about)
}

export const ask = Effect.fnUntraced(function* (operation: Operation, sent: Sent) {
  const { caller, next, userOf } = yield* Documented
  const { key, method, path, sessionOnly } = operation
  const user = userOf(operation)
  const session = sent.session ?? (sessionOnly ? user.session : "")
  const bearer = sent.key ?? (key === undefined ? "" : caller[key])
  const answer = yield* call(`${caller.url}${filled(path, sent.ids ?? {})}${sent.query ?? ""}`, {
    method,
    headers: {
      // Wrong keys are counted for each client, and some hundreds of them are sent.
      "x-forwarded-for": `198.51.100.${next() % 250}`,
      ...(bearer !== "" && { authorization: `Bearer ${bearer}` }),
      ...(session !== "" && { cookie: `posthorn_session=${session}` }),
      ...(sessionOnly && { "x-project-id": user.project }),
      ...(sent.text !== undefined && { "content-type": sent.type ?? "application/json" })
    },
    ...(sent.text !== undefined && { body: sent.text })
  })
  assertDocumented(operation, answer, sent)
  if (session === user.session) user.session = sessionIn(answer.headers) ?? session
  return answer
})
