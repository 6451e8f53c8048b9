/** Hostile sessions, in a short form of `npm run fuzz`: the replies are well-formed, and nothing fails. */
import { assert, layer } from "@effect/vitest"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { readSubmission } from "@posthorn/core/content/text/SubmittedMail"
import { type Listening, Submission } from "@posthorn/core/mail/submission/Submission"
import { refused } from "@posthorn/core/mail/submission/SubmissionRefused"
import { submittedRequest } from "@posthorn/core/mail/submission/SubmittedRequest"
import { Effect, Layer, Option, Redacted, Ref, Result } from "effect"
import { converse, deviationOf, drawSession, generator } from "../endToEnd/testing/SmtpSessions.ts"
import * as SubmissionServer from "./SubmissionServer.ts"

const key = "the right key"
const project = ProjectId.make("019a0000-0000-7000-8000-000000000002")
const place = Ref.makeUnsafe(Option.none<Listening>())
const accepted = Ref.makeUnsafe(0)

/** Reads messages as the core does, and stores nothing. */
const core = Layer.mock(Submission, {
  logIn: (password, address) =>
    password === key
      ? Effect.succeed({ project, key: Redacted.make(password), address })
      : Effect.fail(refused(535, "5.7.8", "The key is unknown")),
  begin: () => Effect.void,
  submit: (_, { bytes, recipients }) =>
    Effect.gen(function* () {
      const found = yield* Effect.promise(() => readSubmission(bytes))
      if (!found.ok) return yield* refused(554, found.fault.status, found.fault.message)
      const request = submittedRequest(found.value, recipients)
      if (Result.isFailure(request)) return yield* request.failure
      yield* Ref.update(accepted, (count) => count + 1)
      return EmailId.make("019a0000-0000-7000-8000-000000000001")
    }),
  opened: (listening) => Ref.set(place, Option.some(listening)),
  listening: Ref.get(place)
})

const server = SubmissionServer.layer(
  {
    host: "127.0.0.1",
    ports: { starttls: 0, tls: null },
    certificate: undefined,
    maxClients: 500,
    proxies: undefined
  },
  { ...SubmissionServer.defaults, perClient: 500 }
).pipe(Layer.provide(core))

layer(server, { timeout: "60 seconds", excludeTestServices: true })("Hostile sessions", (it) => {
  it.effect("get well-formed replies, and change nothing in the service", () =>
    Effect.gen(function* () {
      const port = Option.getOrThrow(yield* Ref.get(place)).ports.starttls ?? 0
      const seed = Math.floor(Math.random() * 1_000_000)
      const next = generator(seed)
      const endings = ["reads", "reads", "reads", "half closes", "vanishes"] as const
      const sessions = Array.from({ length: 200 }, (_, n) =>
        drawSession(next, { key, domain: "shop.example" }, endings[n % endings.length])
      )
      yield* Effect.forEach(
        sessions,
        (session, number) =>
          Effect.map(
            Effect.promise(() => converse(port, session)),
            (heard) =>
              assert.isUndefined(
                session.ending === "reads" ? deviationOf(heard) : undefined,
                `seed ${seed}, session ${number}: ${JSON.stringify(Buffer.concat(session.packets).toString("latin1").slice(0, 2_000))}`
              )
          ),
        { concurrency: 20 }
      )
      assert.isAbove(yield* Ref.get(accepted), 10)
      const good = `EHLO a\r\nAUTH PLAIN ${Buffer.from(`\0a\0${key}`).toString("base64")}\r\nQUIT\r\n`
      assert.match(
        yield* Effect.promise(() => converse(port, { packets: [Buffer.from(good)], ending: "reads" })),
        /^235 .*\r\n221 /m
      )
    })
  )
})
