/** The delivery ledger for tests: read directly from the database, with functions that skip waiting times. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const Entry = Schema.Struct({
  id: Schema.String,
  to: Schema.String,
  status: Schema.String,
  /** An attempt without a result is recorded. */
  begun: Schema.Boolean,
  /** AMBIGUOUS without a further attempt. */
  rests: Schema.Boolean,
  /** How often it was claimed. */
  claims: Schema.Int,
  attempts: Schema.Int,
  /** Workers that died while they held it, since its last result. */
  deaths: Schema.Int,
  ladderStep: Schema.Int,
  /** From its last change to its due time. */
  waitSeconds: Schema.Finite,
  /** Outcomes of its attempts, in order. */
  outcomes: Schema.Array(Schema.String),
  /** Its `email.sent` events. */
  told: Schema.Int
})
export type Entry = typeof Entry.Type

const Entries = Schema.decodeUnknownEffect(Schema.Array(Entry))
const Counts = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** All of it, in order of acceptance. */
export const entries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select id, to_email as "to", status, status = 'SENDING' and begun_at is not null as begun,
           status = 'AMBIGUOUS' and due_at = 'infinity' as rests, claim as claims, attempts, deaths,
           ladder_step as "ladderStep",
           case when due_at = 'infinity' then 0 else extract(epoch from due_at - updated_at) end::float8
             as "waitSeconds",
           array(select outcome from email_attempts as attempt
                 where attempt.project_id = emails.project_id and email_id = emails.id order by number) as outcomes,
           coalesce(sent.told, 0) as told
    from emails left join (
      select project_id, email_id, count(*)::int as told from events where name = 'email.sent' group by 1, 2
    ) as sent on sent.project_id = emails.project_id and sent.email_id = emails.id
    order by created_at, id`
  return yield* Entries(rows)
}).pipe(Effect.orDie)

/** The newest email to an address, if there is one. */
export const entryTo = (address: string) => Effect.map(entries, (found) => found.findLast(({ to }) => to === address))

const count = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
  statement.pipe(
    Effect.flatMap(Counts),
    Effect.map(([row]) => row.count),
    Effect.orDie
  )

/** Emails that will change again: scheduled, waiting, claimed, or ambiguous with a due time. */
export const unfinished = SqlClient.SqlClient.use((sql) =>
  count(sql`
    select count(*)::int from emails
    where status in ('SCHEDULED', 'PENDING', 'SENDING') or status = 'AMBIGUOUS' and due_at < 'infinity'`)
)

/** Emails without an attempt, or claimed. */
export const waiting = SqlClient.SqlClient.use((sql) =>
  count(sql`
    select count(*)::int from emails where status = 'PENDING' and attempts = 0 or status = 'SENDING'`)
)

/** Emails that a worker has started to send and not settled: the most that can be sent twice if it dies now. */
export const inFlight = (worker: string) =>
  SqlClient.SqlClient.use((sql) =>
    count(sql`
      select count(*)::int from emails
      where status = 'SENDING' and worker = ${worker}::uuid and begun_at is not null`)
  )

/** Emails that a worker has claimed, started or not. */
export const held = (worker: string) =>
  SqlClient.SqlClient.use((sql) =>
    count(sql`select count(*)::int from emails where status = 'SENDING' and worker = ${worker}::uuid`)
  )

/** Replaces 30 seconds without a heartbeat: the worker's lease has expired. */
export const endLease = (worker: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.asVoid(
      Effect.orDie(sql`update workers set lease_until = now() - interval '1 second' where id = ${worker}::uuid`)
    )
  )

/** Replaces most of a lease: this many seconds are left. */
export const shortenLease = (worker: string, seconds: number) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.asVoid(
      Effect.orDie(sql`
        update workers set lease_until = clock_timestamp() + make_interval(secs => ${seconds})
        where id = ${worker}::uuid`)
    )
  )

/** Replaces 60 seconds: requests whose process died no longer hold their Idempotency-Key. */
export const endKeyLeases: Effect.Effect<void, never, SqlClient.SqlClient> = SqlClient.SqlClient.use((sql) =>
  Effect.asVoid(
    Effect.orDie(sql`update idempotency_keys set lease_until = now() - interval '1 second' where status is null`)
  )
)

/** Ends all waits between attempts: every waiting, unclaimed email is due. */
export const endWaits: Effect.Effect<void, never, SqlClient.SqlClient> = SqlClient.SqlClient.use((sql) =>
  Effect.asVoid(
    Effect.orDie(sql`
      with waiting as materialized (select project_id, id from emails where status = 'PENDING' for update skip locked)
      update emails set due_at = now() from waiting
      where emails.project_id = waiting.project_id and emails.id = waiting.id`)
  )
)
