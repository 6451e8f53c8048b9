/** How much waits, as gauges for whoever watches the service (contract-2 17). */
import { Context, DateTime, Duration, Effect, Layer, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"

const pending = Metric.gauge("posthorn_emails_pending", { description: "Mails that wait to be sent" })
const oldest = Metric.gauge("posthorn_email_oldest_pending_seconds", {
  description: "How long the mail that has been due for longest is due"
})

export class Backlog extends Context.Service<
  Backlog,
  {
    /** Sets the gauges. It looks at every waiting mail, so figures younger than 10 seconds stay as they are. */
    readonly measure: Effect.Effect<void>
  }
>()("@posthorn/core/service/Backlog") {}

const Row = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ pending: Schema.Int, oldest: Schema.NullOr(Schema.DateTimeUtcFromDate) })])
)

const freshFor = Duration.seconds(10)

export const layer: Layer.Layer<Backlog, never, SqlClient.SqlClient> = Layer.effect(
  Backlog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const look = Effect.gen(function* () {
      // Lane by lane, because each has an index of its own.
      const rows = yield* sql`
        select count(*)::int as pending, min(due_at) as oldest from (
          select due_at from emails where status = 'PENDING' and lane = 0
          union all
          select due_at from emails where status = 'PENDING' and lane = 1
        ) as waiting`
      const [row] = yield* Row(rows)
      const waited = row.oldest === null ? Duration.zero : DateTime.distance(row.oldest, yield* DateTime.now)
      yield* Metric.update(pending, row.pending)
      yield* Metric.update(oldest, Math.max(0, Duration.toSeconds(waited)))
    }).pipe(Effect.orDie, Effect.withSpan("Backlog.measure"))

    return Backlog.of({ measure: yield* Effect.cachedWithTTL(look, freshFor) })
  })
)
