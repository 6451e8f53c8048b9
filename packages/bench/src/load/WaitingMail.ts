/** Mail that waits in the ledger, and the time that a claim of it takes. */
import { randomUUID } from "node:crypto"
import { type ClaimedEmail, DeliveryQueue } from "@posthorn/core/mail/sending/DeliveryQueue"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import type * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"

/** Stores waiting mail of a campaign, or without one transactional mail. `dueAt` may use `n`, from 1 on. */
export const store = Effect.fnUntraced(function* (
  { from, id }: Seed.Sender,
  count: number,
  campaign: string | null,
  dueAt: Statement.Fragment
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into emails (id, project_id, to_email, from_email, type, source_type, campaign_id, tracking, status, lane,
                        due_at, ladder_since, created_at, updated_at)
    select gen_random_uuid(), ${id}::uuid, 'to' || n || '@example.com', ${from},
           ${campaign === null ? "TRANSACTIONAL" : "MARKETING"}, ${campaign === null ? "TRANSACTIONAL" : "CAMPAIGN"},
           ${campaign}::uuid, false, 'PENDING', ${campaign === null ? 0 : 2}::int, ${dueAt}, now(), now(), now()
    from generate_series(1, ${count}::int) as n`
}, Effect.orDie)

/** The times of claims, whose mails are released again. Fails if a claim took others than it should. */
export const claimTimes = Effect.fnUntraced(function* (
  rounds: number,
  batch: number,
  isRight: (found: ReadonlyArray<ClaimedEmail>) => boolean
) {
  const queue = yield* DeliveryQueue
  const worker: string = randomUUID()
  yield* queue.heartbeat(worker, Duration.minutes(10))
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const now = yield* DateTime.now
    const begun = performance.now()
    const found = yield* queue.claim(worker, batch, now)
    times.push(performance.now() - begun)
    if (!isRight(found)) {
      return yield* new BenchFailure({ message: `${found.length} mails were claimed, not all of them expected` })
    }
    yield* queue.release(worker)
  }
  return latencyOf(times)
})
