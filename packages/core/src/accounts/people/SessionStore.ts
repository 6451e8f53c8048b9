/** Statements about sessions. Each request is checked against them. */
import { AccountId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"

const User = Schema.Struct({
  id: AccountId,
  email: Schema.String,
  emailVerified: Schema.Boolean,
  hasTwoFactors: Schema.Boolean,
  sessionVersion: Schema.Int,
  /** When the last use of the session was recorded. Null before the first. */
  lastSeenAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type SessionUser = typeof User.Type

const Row = Schema.Struct({
  id: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  lastSeenAt: Schema.DateTimeUtcFromDate,
  network: Schema.NullOr(Schema.String),
  userAgent: Schema.NullOr(Schema.String)
})

/** A session as its owner sees it. */
export type OpenSession = typeof Row.Type

/** One use of a session, or its start. */
export interface SessionUse {
  readonly id: string
  readonly user: AccountId
  readonly sessionVersion: number
  readonly createdAt: DateTime.Utc
  readonly seenAt: DateTime.Utc
  /** When its newest token expires. */
  readonly expiresAt: DateTime.Utc
  readonly network: string | null
  readonly userAgent: string | null
}

export interface SessionStore {
  /** The user, unless the session was ended. The token was issued at `issuedAt`. */
  readonly user: (
    account: AccountId,
    session: string,
    issuedAt: DateTime.Utc
  ) => Effect.Effect<Option.Option<SessionUser>>
  /** Records a new session, or a use of one. */
  readonly seen: (use: SessionUse) => Effect.Effect<void>
  /** Valid sessions, the last used first. */
  readonly list: (account: AccountId, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<OpenSession>>
  /** Ends one session. The record stays until all of its tokens have expired. */
  readonly revoke: (session: string, until: DateTime.Utc) => Effect.Effect<void>
  /** Ends a session of the account. False when the account has no session with this id. */
  readonly revokeOf: (
    account: AccountId,
    session: string,
    now: DateTime.Utc,
    until: DateTime.Utc
  ) => Effect.Effect<boolean>
  /** Ends all sessions of the account except one. */
  readonly revokeOthers: (
    account: AccountId,
    session: string,
    now: DateTime.Utc,
    until: DateTime.Utc
  ) => Effect.Effect<void>
  readonly sweep: (now: DateTime.Utc) => Effect.Effect<void>
}

const users = Schema.decodeUnknownEffect(Schema.Array(User))
const rows = Schema.decodeUnknownEffect(Schema.Array(Row))

export const make: Effect.Effect<SessionStore, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const audit = audited(sql)
  const ended = (account: AccountId) => ({ project: null, account, action: "user.sessions_ended" })

  return {
    user: (account, session, issuedAt) =>
      sql`
          select users.id, email, email_verified as "emailVerified", users.session_version as "sessionVersion",
                 last_seen_at as "lastSeenAt",
                 exists (
                   select 1 from totp_secrets where totp_secrets.user_id = users.id and confirmed_at is not null
                 ) as "hasTwoFactors"
          from users left join sessions on sessions.id = ${session} and sessions.user_id = users.id
          where users.id = ${account}
            and (sessions.id is not null or sessions_from is null or sessions_from < ${DateTime.toDate(issuedAt)})
            and not exists (select 1 from revoked_sessions where id = ${session})`.pipe(
        Effect.flatMap(users),
        Effect.map(Array.head),
        Effect.orDie
      ),
    // A row of another account with the same id stays as it is.
    seen: ({ id, user, sessionVersion, createdAt, seenAt, expiresAt, network, userAgent }) =>
      sql`
          insert into sessions (id, user_id, session_version, created_at, last_seen_at, expires_at, network, user_agent)
          select ${id}::uuid, ${user}::uuid, ${sessionVersion}::int, ${DateTime.toDate(createdAt)}::timestamptz,
                 ${DateTime.toDate(seenAt)}::timestamptz, ${DateTime.toDate(expiresAt)}::timestamptz,
                 ${network}::text, ${userAgent}::text
          where exists (select 1 from users where id = ${user})
          on conflict (id) do update
            set last_seen_at = excluded.last_seen_at, expires_at = greatest(sessions.expires_at, excluded.expires_at),
                network = excluded.network, user_agent = excluded.user_agent
            where sessions.user_id = excluded.user_id`.pipe(Effect.asVoid, Effect.orDie),
    list: (account, now) =>
      sql`
          select sessions.id, sessions.created_at as "createdAt", last_seen_at as "lastSeenAt", network,
                 user_agent as "userAgent"
          from sessions join users on users.id = user_id and users.session_version = sessions.session_version
          where user_id = ${account} and expires_at > ${DateTime.toDate(now)}
            and not exists (select 1 from revoked_sessions where revoked_sessions.id = sessions.id)
          order by last_seen_at desc, sessions.id desc`.pipe(Effect.flatMap(rows), Effect.orDie),
    revoke: (session, until) =>
      sql`
          with gone as (delete from sessions where id = ${session})
          insert into revoked_sessions (id, expires_at) values (${session}, ${DateTime.toDate(until)})
          on conflict (id) do update set expires_at = excluded.expires_at`.pipe(Effect.asVoid, Effect.orDie),
    revokeOf: (account, session, now, until) =>
      audit(
        sql`
            with gone as (
              delete from sessions where id = ${session} and user_id = ${account}
                and expires_at > ${DateTime.toDate(now)} returning id
            )
            insert into revoked_sessions (id, expires_at) select id, ${DateTime.toDate(until)}::timestamptz from gone
            on conflict (id) do nothing returning id`.pipe(Effect.map(Array.isReadonlyArrayNonEmpty), Effect.orDie),
        (gone) => (gone ? ended(account) : undefined)
      ),
    revokeOthers: (account, session, now, until) =>
      audit(
        sql`
            with since as (update users set sessions_from = ${DateTime.toDate(now)} where id = ${account}),
            gone as (delete from sessions where user_id = ${account} and id <> ${session} returning id)
            insert into revoked_sessions (id, expires_at) select id, ${DateTime.toDate(until)}::timestamptz from gone
            on conflict (id) do nothing`.pipe(Effect.asVoid, Effect.orDie),
        () => ended(account)
      ),
    sweep: (now) =>
      Effect.andThen(
        sql`delete from revoked_sessions where expires_at <= ${DateTime.toDate(now)}`,
        sql`delete from sessions where expires_at <= ${DateTime.toDate(now)}`
      ).pipe(Effect.asVoid, Effect.orDie)
  }
})
