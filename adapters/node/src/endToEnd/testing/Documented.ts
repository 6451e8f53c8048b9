/** A server to hold against the document: it is asked anything, and each answer must be one that is described. */
import { assert } from "@effect/vitest"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Context, Effect, Layer } from "effect"
import { type Answer, call } from "../../testing/ApiCall.ts"
import type { Ended } from "../../testing/Program.ts"
import { addDomain, type Caller } from "./Caller.ts"
import { install } from "./Installation.ts"
import { deviation, type Operation } from "./Operations.ts"
import { filled, type Ids, makers, prefixesOf } from "./Resources.ts"

export const domain = "mail.example.com"
export const from = `hello@${domain}`

export class Documented extends Context.Service<
  Documented,
  {
    readonly caller: Caller
    /** A number that was not used before. */
    readonly next: () => number
  }
>()("@posthorn/node/endToEnd/testing/Documented") {}

/** Mail to `deferred...` is put off by the peer, mail to `refused...` turned down, for reasons that are not the address. */
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
    const keys = yield* account("Documented")
    const { url } = yield* serve({
      POSTHORN_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      POSTHORN_RATE_LIMIT_PER_MINUTE: "100000"
    })
    const caller = { url, ...keys }
    yield* addDomain(caller, dns, domain)
    let last = 1
    return Documented.of({ caller, next: () => ++last })
  })
)

/** New resources for all ids of a path. */
export const fresh = Effect.fnUntraced(function* ({ path }: Operation) {
  const { caller, next } = yield* Documented
  const made = yield* Effect.forEach(prefixesOf(path), (prefix) => {
    const make = makers[prefix]
    assert.isDefined(make, `nothing makes what ${prefix}/ names: Resources.ts`)
    return Effect.map(make(caller, from, next()), (id) => [prefix, id] as const)
  })
  return Object.fromEntries(made)
})

export interface Sent {
  readonly ids?: Ids
  readonly query?: string
  /** The body as it goes over the wire. */
  readonly text?: string
  /** Its content type; default: JSON. */
  readonly type?: string
  /** Default: the one that the endpoint takes. */
  readonly key?: string
}

/** What holds for every answer, and nothing that the document could say. */
const assertDocumented = (operation: Operation, answer: Answer, sent: Sent) => {
  const { headers, status, text } = answer
  const about = `${operation.id} ${JSON.stringify(sent)}`
  assert.strictEqual(deviation(operation, answer) ?? "", "", about)
  assert.strictEqual(headers.get("cache-control"), "no-store", about)
  if (status === 401) assert.strictEqual(headers.get("www-authenticate"), "Bearer", about)
  const { error } = status < 400 ? {} : JSON.parse(text)
  // Three endpoints have a refusal without envelope.
  if (typeof error === "string") return
  if (status >= 400) assert.include(error, { statusCode: status, requestId: headers.get("x-request-id") }, about)
}

export const ask = Effect.fnUntraced(function* (operation: Operation, sent: Sent) {
  const { caller } = yield* Documented
  const { key, method, path } = operation
  const bearer = sent.key ?? (key === undefined ? "" : caller[key])
  const answer = yield* call(`${caller.url}${filled(path, sent.ids ?? {})}${sent.query ?? ""}`, {
    method,
    headers: {
      ...(bearer !== "" && { authorization: `Bearer ${bearer}` }),
      ...(sent.text !== undefined && { "content-type": sent.type ?? "application/json" })
    },
    ...(sent.text !== undefined && { body: sent.text })
  })
  assertDocumented(operation, answer, sent)
  return answer
})
