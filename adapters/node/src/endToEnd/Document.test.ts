/** Every endpoint of openapi.json on a running server: whatever is asked, the answer is one that the document describes. */
import { assert, describe, layer } from "@effect/vitest"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Arbitrary, Context, Effect, Layer } from "effect"
import { type Answer, call } from "../testing/ApiCall.ts"
import { eventually } from "../testing/Program.ts"
import { addDomain, type Caller, emailOf, send } from "./testing/Caller.ts"
import { databaseName, install } from "./testing/Installation.ts"
import { bodies, deviation, type Operation, operations } from "./testing/Operations.ts"
import { filled, makers, prefixesOf } from "./testing/Resources.ts"

const domain = "mail.example.com"
const from = `hello@${domain}`

class Service extends Context.Service<
  Service,
  {
    readonly caller: Caller
    /** Numbers that were not used before. */
    readonly next: () => number
  }
>()("@posthorn/node/endToEnd/Document/Service") {}

const service = Layer.effect(
  Service,
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
    return Service.of({ caller, next: () => ++last })
  })
)

interface Sent {
  readonly ids?: { readonly [prefix: string]: string }
  readonly query?: string
  /** The body as it goes over the wire. */
  readonly text?: string
  /** Default: the one that the endpoint takes. */
  readonly key?: string
}

const ask = Effect.fnUntraced(function* ({ key, method, path }: Operation, sent: Sent = {}) {
  const { caller } = yield* Service
  const bearer = sent.key ?? (key === undefined ? "" : caller[key])
  return yield* call(`${caller.url}${filled(path, sent.ids ?? {})}${sent.query ?? ""}`, {
    method,
    headers: {
      ...(bearer !== "" && { authorization: `Bearer ${bearer}` }),
      ...(sent.text !== undefined && { "content-type": "application/json" })
    },
    ...(sent.text !== undefined && { body: sent.text })
  })
})

/** What holds for every answer, and nothing that the document could say. */
const assertDocumented = (operation: Operation, answer: Answer, sent: Sent = {}) => {
  const about = `${operation.id} ${JSON.stringify(sent)}: `
  assert.strictEqual(deviation(operation, answer) ?? "", "", about)
  assert.strictEqual(answer.headers.get("cache-control"), "no-store", about)
  if (answer.status === 401) assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer", about)
  const { error } = answer.status < 400 ? {} : JSON.parse(answer.text)
  if (typeof error !== "object") return
  assert.strictEqual(error.statusCode, answer.status, about)
  assert.strictEqual(error.requestId, answer.headers.get("x-request-id"), about)
}

const asked = Effect.fnUntraced(function* (operation: Operation, sent: Sent = {}) {
  const answer = yield* ask(operation, sent)
  assertDocumented(operation, answer, sent)
  return answer
})

/** New resources for all ids of a path. */
const fresh = Effect.fnUntraced(function* ({ path }: Operation) {
  const { caller, next } = yield* Service
  const made = yield* Effect.forEach(prefixesOf(path), (prefix) => {
    const make = makers[prefix]
    assert.isDefined(make, `nothing makes what ${prefix}/ names: Resources.ts`)
    return Effect.map(make(caller, from, next()), (id) => [prefix, id] as const)
  })
  return Object.fromEntries(made)
})

/** A mail in the state that an endpoint wants it in. */
const mailIn = Effect.fnUntraced(function* (
  recipient: string,
  wanted: (mail: { status: string; attempts: number }) => boolean
) {
  const { caller, next } = yield* Service
  const to = `${recipient}-${next()}@example.org`
  const [id = ""] = yield* send(caller, { from, to, subject: "Hello", body: "<p>Hello</p>" })
  yield* eventually(emailOf(caller, id), wanted)
  return { ids: { "/emails": id } }
})

/** What an endpoint takes when all is well, where new resources and an empty body are not enough. */
const examples: { readonly [operation: string]: Effect.Effect<Sent, never, Service> } = {
  track: Effect.succeed({
    text: JSON.stringify({ email: "anna@example.org", event: "signup", data: { plan: "pro" } })
  }),
  send: Effect.succeed({
    text: JSON.stringify({ from, to: "anna@example.org", subject: "Hello", body: "<p>Hello</p>" })
  }),
  "contacts.upsert": Effect.succeed({ text: JSON.stringify({ email: "new@example.org", data: { plan: "pro" } }) }),
  "contacts.update": Effect.map(Service, ({ next }) => ({
    text: JSON.stringify({ email: `moved-${next()}@example.org` })
  })),
  "templates.create": Effect.succeed({
    text: JSON.stringify({ name: "News", subject: "Hello {{name}}", body: "<p>Hello</p>", from })
  }),
  "domains.add": Effect.succeed({ text: JSON.stringify({ domain: "new.example.com" }) }),
  "emails.cancel": mailIn("deferred", ({ attempts, status }) => attempts === 1 && status === "PENDING"),
  "emails.retry": mailIn("refused", ({ status }) => status === "FAILED")
}

const hasBody = ({ method }: Operation) => method !== "GET"

describe(`every endpoint, on ${databaseName}`, () => {
  layer(service, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    for (const operation of operations) {
      it.effect(`${operation.method} ${operation.path} answers what the document says`, () =>
        Effect.gen(function* () {
          const { caller } = yield* Service
          const ids = yield* fresh(operation)
          const example = { ids, ...(yield* examples[operation.id] ?? Effect.succeed({})) }
          const { status, text } = yield* asked(operation, example)
          assert.isBelow(status, 300, `${operation.id} has no example that succeeds: ${text}`)

          // The same once more: what it names may be gone, and what it makes may be there.
          yield* asked(operation, example)

          if (operation.key !== undefined) {
            const other = operation.key === "publicKey" ? caller.secretKey : caller.publicKey
            for (const key of [other, "", `${caller[operation.key].slice(0, -1)}~`]) {
              assert.strictEqual((yield* asked(operation, { ids, key })).status, 401, key)
            }
          }
          for (const id of ["019a0000-0000-7000-8000-00000000ffff", "no-uuid", "%00", "%F0%9F%A6%8A"]) {
            if (!operation.path.includes("{")) break
            const unknown = Object.fromEntries(prefixesOf(operation.path).map((prefix) => [prefix, id]))
            assert.strictEqual((yield* asked(operation, { ids: unknown })).status, 404, id)
          }
          for (const name of operation.query) {
            for (const value of ["", "~", "0", "-1", "1e999", "%00", "%ED%A0%80", "a".repeat(5_000)]) {
              yield* asked(operation, { ids: example.ids, query: `?${name}=${value}` })
            }
          }
        })
      )
    }

    it.effect.each(operations.filter(hasBody))(
      "$method $path answers what the document says to any body",
      (operation) =>
        Effect.gen(function* () {
          const ids = yield* fresh(operation)
          for (const text of [
            "",
            "{}",
            "[]",
            "null",
            '"text"',
            "{",
            "[".repeat(200),
            '{"a":"\\u0000"}',
            '{"a":"\\ud800"}'
          ]) {
            yield* asked(operation, { ids, text })
          }
          if (operation.body === undefined) return
          for (const odd of [false, true]) {
            const made = bodies(operation.body, [domain, "example.org"], odd)
            const samples = yield* Arbitrary.sampleEffect(made, { count: odd ? 8 : 20, size: 6, seed: 7 })
            for (const sample of samples) {
              yield* asked(operation, { ids: yield* fresh(operation), text: JSON.stringify(sample) })
            }
          }
        })
    )
  })
})
