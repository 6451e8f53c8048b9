/** The delivery ledger as the tests see it: behind the API, and with the power to let time pass. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const Entry = Schema.Struct({
  id: Schema.String,
  to: Schema.String,
  status: Schema.String,
  /** A try is on record that has no result. */
  begun: Schema.Boolean,
  /** AMBIGUOUS for good. */
  rests: Schema.Boolean,
  /** How often it was claimed. */
  claims: Schema.Int,
  attempts: Schema.Int,
  /** Workers that died with it in hand since its last result. */
  deaths: Schema.Int,
  ladderStep: Schema.Int,
  /** From its last change to the moment it is due. */
  waitSeconds: Schema.Finite,
  /** Outcomes of its attempts, in order. */
  outcomes: Schema.Array(Schema.String),
  /** `email.sent` events about it. */
  told: Schema.Int
})
export type Entry = typeof Entry.Type

const Entries = Schema.decodeUnknownEffect(Schema.Array(Entry))
const Counts = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** All of it, in the order of acceptance. */
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

/** The newest mail to an address; nothing where there is none. */
export const entryTo = (address: string) => Effect.map(entries, (found) => found.findLast(({ to }) => to === address))

const count = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
  statement.pipe(
    Effect.flatMap(Counts),
    Effect.map(([row]) => row.count),
    Effect.orDie
  )

/** Mails that will move again: waiting, in hand, or ambiguous with a date. */
export const unfinished = SqlClient.SqlClient.use((sql) =>
  count(sql`
    select count(*)::int from emails
    where status in ('PENDING', 'SENDING') or status = 'AMBIGUOUS' and due_at < 'infinity'`)
)

/** Mails that nobody has tried yet, or that are in hand. */
export const waiting = SqlClient.SqlClient.use((sql) =>
  count(sql`
    select count(*)::int from emails where status = 'PENDING' and attempts = 0 or status = 'SENDING'`)
)

/** Mails that a worker has begun to hand over and not settled: the most that can be sent twice if it dies now. */
export const inFlight = (worker: string) =>
  SqlClient.SqlClient.use((sql) =>
    count(sql`
      select count(*)::int from emails
      where status = 'SENDING' and worker = ${worker}::uuid and begun_at is not null`)
  )

/** Mails that a worker has in hand, begun or not. */
export const held = (worker: string) =>
  SqlClient.SqlClient.use((sql) =>
    count(sql`select count(*)::int from emails where status = 'SENDING' and worker = ${worker}::uuid`)
  )

/** Stands for the passing of 30 seconds without a heartbeat: the worker's lease is over. */
export const endLease = (worker: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.asVoid(
      Effect.orDie(sql`update workers set lease_until = now() - interval '1 second' where id = ${worker}::uuid`)
    )
  )

/** Stands for the passing of most of a lease: so many seconds are left of it. */
export const shortenLease = (worker: string, seconds: number) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.asVoid(
      Effect.orDie(sql`
        update workers set lease_until = clock_timestamp() + make_interval(secs => ${seconds})
        where id = ${worker}::uuid`)
    )
  )

/** Stands for the passing of 60 seconds: requests whose process died no longer hold their Idempotency-Key. */
export const endKeyLeases: Effect.Effect<void, never, SqlClient.SqlClient> = SqlClient.SqlClient.use((sql) =>
  Effect.asVoid(
    Effect.orDie(sql`update idempotency_keys set lease_until = now() - interval '1 second' where status is null`)
  )
)

/** Stands for the passing of the waits between two tries, however long: all mail that waits, and nobody takes, is due. */
export const endWaits: Effect.Effect<void, never, SqlClient.SqlClient> = SqlClient.SqlClient.use((sql) =>
  Effect.asVoid(
    Effect.orDie(sql`
      with waiting as materialized (select project_id, id from emails where status = 'PENDING' for update skip locked)
      update emails set due_at = now() from waiting
      where emails.project_id = waiting.project_id and emails.id = waiting.id`)
  )
)
