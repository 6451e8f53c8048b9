/** Queues scheduled mail when it is due. Any number of processes may run it. */
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { nextDue } from "../../platform/jobs/Agenda.ts"
import { forkLoop } from "../../platform/jobs/Loop.ts"
import { Wakeups } from "../../platform/Wakeups.ts"

/** The most mails that one statement queues. */
const step = 1_000

/** Scheduled mail is late by at most this time. */
const poll = Duration.seconds(1)

/** Queues some of the mail that is due, and returns the number. */
export const queueDue = (sql: SqlClient.SqlClient, now: DateTime.Utc): Effect.Effect<number> =>
  sql`
    with due as materialized (
      select project_id, id from emails
      where status = 'SCHEDULED' and scheduled_for <= ${DateTime.toDate(now)}::timestamptz
      order by scheduled_for limit ${step} for update skip locked
    )
    update emails set status = 'PENDING', updated_at = ${DateTime.toDate(now)}
    from due where emails.project_id = due.project_id and emails.id = due.id
    returning emails.id`.pipe(
    Effect.map((queued) => queued.length),
    Effect.orDie
  )

export const layer: Layer.Layer<never, never, SqlClient.SqlClient | Wakeups> = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { mail } = yield* Wakeups

    const queue = Effect.gen(function* () {
      const queued = yield* queueDue(sql, yield* DateTime.now)
      if (queued > 0) yield* mail.wake
      return queued === step
    })

    const next = nextDue(sql`select min(scheduled_for) from emails where status = 'SCHEDULED'`)
    yield* forkLoop("Queueing of scheduled mail", queue, { next, poll })
  })
)
