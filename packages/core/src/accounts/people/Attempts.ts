/**
 * Rate limits of logins, sign-ups and emails, shared by all processes.
 *
 * An attempt is counted before it is made, in one statement that locks its row, so concurrent attempts cannot exceed
 * the limit. Only a hash of the account or address is stored.
 */
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import { SqlClient } from "effect/sql"

export interface AttemptLimit {
  /** The kind of attempt, such as `login-account`. */
  readonly kind: string
  readonly limit: number
  readonly window: Duration.Duration
}

export const limits = {
  loginOfAccount: { kind: "login-account", limit: 5, window: Duration.minutes(15) },
  loginFromAddress: { kind: "login-address", limit: 20, window: Duration.minutes(15) },
  secondFactor: { kind: "second-factor", limit: 10, window: Duration.minutes(15) },
  secondFactorOfDay: { kind: "second-factor-day", limit: 50, window: Duration.days(1) },
  passkeyOptions: { kind: "passkey-options", limit: 60, window: Duration.minutes(15) },
  passkey: { kind: "passkey", limit: 60, window: Duration.minutes(15) },
  signup: { kind: "signup", limit: 10, window: Duration.hours(1) },
  verificationMail: { kind: "verification-mail", limit: 3, window: Duration.hours(1) },
  resetFromAddress: { kind: "reset-address", limit: 20, window: Duration.minutes(15) },
  resetMail: { kind: "reset-mail", limit: 3, window: Duration.hours(1) },
  invitationMail: { kind: "invitation-mail", limit: 3, window: Duration.hours(1) },
  /** The most members of a project, so that one account can invite all of them in a day. */
  invitationsOfAccount: { kind: "invitations-account", limit: 100, window: Duration.days(1) },
  /** Failed logins of SMTP clients. The last of them begins a block. */
  submissionLogin: { kind: "submission-login", limit: 20, window: Duration.minutes(15) },
  submissionBlock: { kind: "submission-block", limit: 1, window: Duration.minutes(15) }
} as const satisfies Record<string, AttemptLimit>

export interface Attempts {
  /**
   * Counts an attempt at `now`. None when it is allowed; where the limit is reached, the whole seconds until the next
   * attempt.
   */
  readonly take: (limit: AttemptLimit, who: string, now: DateTime.Utc) => Effect.Effect<Option.Option<number>>
  /** The seconds to wait if the limit is reached. Counts nothing. */
  readonly wait: (limit: AttemptLimit, who: string, now: DateTime.Utc) => Effect.Effect<Option.Option<number>>
  /** Removes the attempt that was counted at this time. */
  readonly giveBack: (limit: AttemptLimit, who: string, at: DateTime.Utc) => Effect.Effect<void>
  /** Resets the count. */
  readonly forget: (limit: AttemptLimit, who: string) => Effect.Effect<void>
  /** Removes attempts that are more than a day old. No window is longer. */
  readonly sweep: (now: DateTime.Utc) => Effect.Effect<void>
}

const oldest = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ at: Schema.DateTimeUtcFromDate })))

export const make: Effect.Effect<Attempts, never, Digest.Digest | SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const digest = yield* Digest.Digest

  const subjectOf = ({ kind }: AttemptLimit, who: string) =>
    Effect.map(
      Effect.orDie(digest.digestHex(Digest.sha256, new TextEncoder().encode(`${kind}:${who}`))),
      (hash) => `${kind}:${hash}`
    )

  const take = Effect.fn("Attempts.take")(function* (limit: AttemptLimit, who: string, now: DateTime.Utc) {
    const subject = yield* subjectOf(limit, who)
    const at = DateTime.toDate(now)
    const since = DateTime.toDate(DateTime.subtractDuration(now, limit.window))
    const taken = yield* sql`
        insert into attempts (subject, times) values (${subject}, array[${at}::timestamptz])
        on conflict (subject) do update
          set times = array(select t from unnest(attempts.times) t where t > ${since}::timestamptz) || excluded.times
          where (select count(*) from unnest(attempts.times) t where t > ${since}::timestamptz) < ${limit.limit}::int
        returning 1`
    if (taken.length > 0) return Option.none<number>()
    const [first] = yield* oldest(
      yield* sql`
        select t as at from attempts, unnest(times) t
        where subject = ${subject} and t > ${since}::timestamptz order by t limit 1`
    )
    const free = first === undefined ? now : DateTime.addDuration(first.at, limit.window)
    const wait = Math.ceil((DateTime.toEpochMillis(free) - DateTime.toEpochMillis(now)) / 1000)
    return Option.some(Math.max(1, wait))
  }, Effect.orDie)

  const wait = Effect.fn("Attempts.wait")(function* (limit: AttemptLimit, who: string, now: DateTime.Utc) {
    const subject = yield* subjectOf(limit, who)
    const since = DateTime.subtractDuration(now, limit.window)
    const counted = yield* oldest(
      yield* sql`
        select t as at from attempts, unnest(times) t
        where subject = ${subject} and t > ${DateTime.toDate(since)}::timestamptz order by t limit ${limit.limit}`
    )
    const [first] = counted
    if (first === undefined || counted.length < limit.limit) return Option.none<number>()
    return Option.some(Math.max(1, Math.ceil(Duration.toSeconds(DateTime.distance(since, first.at)))))
  }, Effect.orDie)

  const giveBack = Effect.fn("Attempts.giveBack")(function* (limit: AttemptLimit, who: string, at: DateTime.Utc) {
    const subject = yield* subjectOf(limit, who)
    yield* sql`
        update attempts set times = array_remove(times, ${DateTime.toDate(at)}::timestamptz) where subject = ${subject}`
  }, Effect.orDie)

  const forget = Effect.fn("Attempts.forget")(function* (limit: AttemptLimit, who: string) {
    yield* sql`delete from attempts where subject = ${yield* subjectOf(limit, who)}`
  }, Effect.orDie)

  const sweep = Effect.fn("Attempts.sweep")(function* (now: DateTime.Utc) {
    const since = DateTime.toDate(DateTime.subtractDuration(now, Duration.days(1)))
    yield* sql`
        delete from attempts where not exists (select 1 from unnest(times) t where t > ${since}::timestamptz)`
  }, Effect.orDie)

  return { take, wait, giveBack, forget, sweep }
})
