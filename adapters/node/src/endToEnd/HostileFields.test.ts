/** The time that any text of a request costs; `npm run hostile` is the long form. */
import { assert, describe, layer } from "@effect/vitest"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Arbitrary, Context, Effect, Layer } from "effect"
import { postJson } from "../testing/ApiCall.ts"
import type { Ended } from "../testing/Program.ts"
import { addDomain } from "./testing/Caller.ts"
import { hostileFields, type Target } from "./testing/HostileFields.ts"
import { addressOf, databaseName, install, password } from "./testing/Installation.ts"
import { bodies, operations } from "./testing/Operations.ts"
import { neededBodies } from "./testing/Resources.ts"

const domain = "mail.example.com"
const unknownId = "019a0000-0000-7000-8000-00000000ffff"

class Attacked extends Context.Service<Attacked, Target>()("@posthorn/node/endToEnd/HostileFields/Attacked") {}

const attacked: Layer.Layer<Attacked, Ended> = Layer.effect(
  Attacked,
  Effect.gen(function* () {
    const { account, dns, serve } = yield* install
    const sink = yield* Effect.acquireRelease(
      Effect.promise(() => startSink()),
      (started) => Effect.promise(() => started.close())
    )
    const keys = yield* account("Hostile")
    const { program, url } = yield* serve({
      POSTHORN_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      POSTHORN_RATE_LIMIT_PER_MINUTE: "0",
      POSTHORN_TRUST_PROXY: "1"
    })
    const caller = { url, ...keys }
    yield* addDomain(caller, dns, domain)
    const { headers } = yield* postJson(`${url}/auth/login`, { email: addressOf("Hostile"), password })
    const cookie = /posthorn_session=[^;]+/.exec(headers.getSetCookie().join())?.[0] ?? ""
    const samples = new Map<string, unknown>()
    for (const { body, id } of operations) {
      if (body === undefined) continue
      const [drawn] = yield* Effect.orDie(
        Arbitrary.sampleEffect(bodies(body, [domain], false), { count: 1, size: 3, seed: 7 })
      )
      samples.set(id, neededBodies[id] ?? drawn)
    }
    const hello = { from: `hello@${domain}`, subject: "Hello", body: "<p>Hello</p>" }
    for (const id of ["send", "emails.send"]) samples.set(id, { ...hello, to: "anna@example.org", type: "MARKETING" })
    samples.set("templates.create", { ...hello, name: "News" })
    samples.set("campaigns.create", { ...hello, name: "News", audienceType: "ALL" })
    return Attacked.of({
      url,
      pid: program.pid,
      headersOf: ({ key, sessionOnly }) => ({
        ...(key !== undefined && { authorization: `Bearer ${caller[key]}` }),
        ...(sessionOnly && { cookie })
      }),
      sampleOf: ({ id }) => samples.get(id),
      pathOf: ({ path }) => path.replaceAll(/\{\w+\}/g, unknownId)
    })
  })
)

describe(`every text of every request, on ${databaseName}:`, () => {
  layer(attacked, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "takes time in proportion to its length, and blocks no other request",
      () =>
        Effect.gen(function* () {
          const target = yield* Attacked
          // Wider than for a server of its own, because the embedded database works in its process.
          const options = { shapes: 1, longest: 100_000, mostStanding: 500, quick: 100 }
          const tally = yield* Effect.promise(() => hostileFields(target, options))
          assert.isAbove(tally.fields, 200)
          assert.isAbove(tally.statuses["200"] ?? 0, 100)
          // On a busy machine, a finding counts only when the same field and shape show it again, twice.
          let { findings } = tally
          for (let again = 0; again < 2 && findings.length > 0; again++) {
            const found = findings
            const only = (field: string, shape: string) => found.some((each) => each.startsWith(`${field}, ${shape}: `))
            const fields = (field: string) => found.some((each) => each.startsWith(`${field}, `))
            ;({ findings } = yield* Effect.promise(() => hostileFields(target, { ...options, fields, only })))
          }
          assert.deepStrictEqual(findings, [])
        }),
      { timeout: 420_000 }
    )
  })
})
