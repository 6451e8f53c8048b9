/** Idle clients of the submission service, beside requests of others. Row F10 of the bench measures what they cost. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as IdleClients from "../load/IdleClients.ts"
import * as PacedLoad from "../load/PacedLoad.ts"
import { submissionPort } from "../processes/SubmissionPort.ts"
import { Installation } from "./Installation.ts"
import { installation, live } from "./OnPostgres.ts"

const clients = 1_000

live(
  `${clients} idle clients of the submission service stay, and every request of others is answered`,
  () =>
    Effect.gen(function* () {
      const { senders, startApi } = yield* Installation
      const [idle, ...others] = senders
      const api = yield* startApi({
        environment: {
          POSTHORN_RATE_LIMIT_PER_MINUTE: "0",
          POSTHORN_SUBMISSION_PORT: "0",
          POSTHORN_SUBMISSION_MAX_CLIENTS: String(clients)
        }
      })
      const stillThere = yield* IdleClients.hold(yield* submissionPort(api.url), idle.key, clients)
      const load = yield* PacedLoad.start
      const { requests } = yield* load.ask(
        {
          url: `${api.url}/contacts`,
          body: '{"email":"beside-$n@example.com"}',
          projects: others,
          perSecond: 20,
          seconds: 5
        },
        PacedLoad.Answer
      )
      assert.deepStrictEqual([...new Set(requests.map(({ status }) => status))], [201])
      assert.strictEqual(requests.length, 100)
      assert.strictEqual(yield* stillThere, clients)
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  240_000
)
