/** What a session is checked against at each request. */
import { AccountId } from "@posthorn/contract/Auth"
import { Array, Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"

const User = Schema.Struct({
  id: AccountId,
  email: Schema.String,
  emailVerified: Schema.Boolean,
  sessionVersion: Schema.Int
})
export type SessionUser = typeof User.Type

export class SessionStore extends Context.Service<
  SessionStore,
  {
    /** The user, unless the session of this id was ended. */
    readonly user: (account: AccountId, session: string) => Effect.Effect<Option.Option<SessionUser>>
    /** Ends one session; kept until no token of it could be valid any more. */
    readonly revoke: (session: string, until: DateTime.Utc) => Effect.Effect<void>
    readonly sweep: (now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/accounts/SessionStore") {}

const users = Schema.decodeUnknownEffect(Schema.Array(User))

export const layerSql: Layer.Layer<SessionStore, never, SqlClient.SqlClient> = Layer.effect(
  SessionStore,
  Effect.map(SqlClient.SqlClient, (sql) =>
    SessionStore.of({
      user: (account, session) =>
        sql`
          select id, email, email_verified as "emailVerified", session_version as "sessionVersion" from users
          where id = ${account} and not exists (select 1 from revoked_sessions where id = ${session})`.pipe(
          Effect.flatMap(users),
          Effect.map(Array.head),
          Effect.orDie
        ),
      revoke: (session, until) =>
        sql`
          insert into revoked_sessions (id, expires_at) values (${session}, ${DateTime.toDate(until)})
          on conflict (id) do update set expires_at = excluded.expires_at`.pipe(Effect.asVoid, Effect.orDie),
      sweep: (now) =>
        sql`delete from revoked_sessions where expires_at <= ${DateTime.toDate(now)}`.pipe(Effect.asVoid, Effect.orDie)
    })
  )
)
