/** Statements about second factors and pending logins. */
import { AccountId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"

const Totp = Schema.Struct({ secret: Schema.String, confirmed: Schema.Boolean })
const Pending = Schema.Struct({ user: AccountId, sessionVersion: Schema.Int })

/** A login whose password was right and whose second factor is missing. */
export type PendingLogin = typeof Pending.Type

const Factors = Schema.Struct({ totp: Schema.Boolean, recoveryCodes: Schema.Int, passkeys: Schema.Int })
export type Factors = typeof Factors.Type

export interface TwoFactorStore {
  readonly factors: (account: AccountId) => Effect.Effect<Factors>
  /** The sealed secret, also before it is confirmed. */
  readonly totp: (account: AccountId) => Effect.Effect<Option.Option<typeof Totp.Type>>
  /** Stores an unconfirmed secret in place of an earlier unconfirmed one. False when a secret is confirmed. */
  readonly begin: (account: AccountId, sealed: string, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Replaces the sealed secret with the same secret, sealed again. */
  readonly reseal: (account: AccountId, before: string, sealed: string) => Effect.Effect<void>
  /** Uses up the code of a time step and all earlier ones. Of concurrent uses, one gets true. */
  readonly useStep: (account: AccountId, step: number) => Effect.Effect<boolean>
  /** Confirms the secret and sets the recovery codes. False when the secret is confirmed already, or missing. */
  readonly confirm: (
    account: AccountId,
    recoveryHashes: ReadonlyArray<string>,
    now: DateTime.Utc
  ) => Effect.Effect<boolean>
  /** Uses up a recovery code. Of concurrent uses, one gets true. */
  readonly useRecoveryCode: (account: AccountId, hash: string) => Effect.Effect<boolean>
  /** Removes the secret, the recovery codes and the pending logins. False when no secret was confirmed. */
  readonly remove: (account: AccountId) => Effect.Effect<boolean>
  /** Adds a pending login. An account has at most `most`; beyond that the oldest ends. */
  readonly addPending: (hash: string, login: PendingLogin, expiresAt: DateTime.Utc, most: number) => Effect.Effect<void>
  /** Counts one of `most` tries. None when the login has ended. */
  readonly tryPending: (hash: string, now: DateTime.Utc, most: number) => Effect.Effect<Option.Option<PendingLogin>>
  /** As `tryPending`, without counting a try. */
  readonly pending: (hash: string, now: DateTime.Utc, most: number) => Effect.Effect<Option.Option<PendingLogin>>
  /** Of concurrent calls, one gets true. */
  readonly endPending: (hash: string) => Effect.Effect<boolean>
  readonly sweep: (now: DateTime.Utc) => Effect.Effect<void>
}

const totps = Schema.decodeUnknownEffect(Schema.Array(Totp))
const logins = Schema.decodeUnknownEffect(Schema.Array(Pending))
const factors = Schema.decodeUnknownEffect(Schema.Tuple([Factors]))

export const make: Effect.Effect<TwoFactorStore, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const audit = audited(sql)
  const about = (account: AccountId, action: string) => ({ project: null, account, action })
  const some = Effect.map(Array.isReadonlyArrayNonEmpty<unknown>)

  return {
    factors: (account) =>
      sql`
          select exists (select 1 from totp_secrets where user_id = ${account} and confirmed_at is not null) as totp,
                 (select count(*)::int from recovery_codes where user_id = ${account}) as "recoveryCodes",
                 (select count(*)::int from passkeys where user_id = ${account}) as passkeys`.pipe(
        Effect.flatMap(factors),
        Effect.map(([found]) => found),
        Effect.orDie
      ),
    totp: (account) =>
      sql`select secret, confirmed_at is not null as confirmed from totp_secrets where user_id = ${account}`.pipe(
        Effect.flatMap(totps),
        Effect.map(Array.head),
        Effect.orDie
      ),
    begin: (account, sealed, now) =>
      sql`
          insert into totp_secrets (user_id, secret, created_at) values (${account}, ${sealed}, ${DateTime.toDate(now)})
          on conflict (user_id) do update
            set secret = excluded.secret, created_at = excluded.created_at, last_step = -1
            where totp_secrets.confirmed_at is null
          returning user_id`.pipe(some, Effect.orDie),
    reseal: (account, before, sealed) =>
      sql`update totp_secrets set secret = ${sealed} where user_id = ${account} and secret = ${before}`.pipe(
        Effect.asVoid,
        Effect.orDie
      ),
    useStep: (account, step) =>
      sql`
          update totp_secrets set last_step = ${step}
          where user_id = ${account} and last_step < ${step} returning user_id`.pipe(some, Effect.orDie),
    confirm: (account, recoveryHashes, now) =>
      audit(
        sql`
            with confirmed as (
              update totp_secrets set confirmed_at = ${DateTime.toDate(now)}
              where user_id = ${account} and confirmed_at is null returning user_id
            ),
            codes as (
              insert into recovery_codes (user_id, hash)
              select user_id, hash from confirmed,
                     jsonb_array_elements_text(${JSON.stringify(recoveryHashes)}::text::jsonb) as hash
            )
            select user_id from confirmed`.pipe(some, Effect.orDie),
        (done) => (done ? about(account, "user.two_factors_on") : undefined)
      ),
    useRecoveryCode: (account, hash) =>
      audit(
        sql`delete from recovery_codes where user_id = ${account} and hash = ${hash} returning user_id`.pipe(
          some,
          Effect.orDie
        ),
        (used) => (used ? about(account, "user.recovery_code_used") : undefined)
      ),
    remove: (account) =>
      audit(
        sql`
            with gone as (
              delete from totp_secrets where user_id = ${account} and confirmed_at is not null returning user_id
            ),
            codes as (delete from recovery_codes where user_id in (select user_id from gone)),
            logins as (delete from pending_logins where user_id in (select user_id from gone))
            select user_id from gone`.pipe(some, Effect.orDie),
        (gone) => (gone ? about(account, "user.two_factors_off") : undefined)
      ),
    addPending: (hash, { user, sessionVersion }, expiresAt, most) =>
      sql`
          with oldest as (
            delete from pending_logins where hash in (
              select hash from pending_logins where user_id = ${user} order by expires_at desc offset ${most - 1}
            )
          )
          insert into pending_logins (hash, user_id, session_version, expires_at)
          values (${hash}, ${user}, ${sessionVersion}, ${DateTime.toDate(expiresAt)})`.pipe(
        Effect.asVoid,
        Effect.orDie
      ),
    tryPending: (hash, now, most) =>
      sql`
          update pending_logins set tries = tries + 1
          where hash = ${hash} and expires_at > ${DateTime.toDate(now)} and tries < ${most}
          returning user_id as user, session_version as "sessionVersion"`.pipe(
        Effect.flatMap(logins),
        Effect.map(Array.head),
        Effect.orDie
      ),
    pending: (hash, now, most) =>
      sql`
          select user_id as user, session_version as "sessionVersion" from pending_logins
          where hash = ${hash} and expires_at > ${DateTime.toDate(now)} and tries < ${most}`.pipe(
        Effect.flatMap(logins),
        Effect.map(Array.head),
        Effect.orDie
      ),
    endPending: (hash) => sql`delete from pending_logins where hash = ${hash} returning hash`.pipe(some, Effect.orDie),
    sweep: (now) =>
      sql`delete from pending_logins where expires_at <= ${DateTime.toDate(now)}`.pipe(Effect.asVoid, Effect.orDie)
  }
})
