/** Puts a change on record with who made it, in one transaction: both, or neither. */
import { type AccountId, Actor, CurrentProject, CurrentUser, type ProjectId } from "@posthorn/contract/Auth"
import { Context, DateTime, Effect, Option, type Schema } from "effect"
import type { SqlClient } from "effect/sql"

/** What is on record: never a key, a token or an address. */
export interface AuditEntry {
  readonly project: ProjectId | null
  /** Whose account it is about: whoever has its password, its session or its mail acts as its user. */
  readonly account?: AccountId
  readonly action: string
  readonly details?: Readonly<Record<string, Schema.Json>>
}

export interface Acting {
  /** A user with a session, whoever holds the secret key, the operator of the installation, or the service by itself. */
  readonly actor: "key" | "operator" | "service" | "user"
  readonly user: AccountId | null
}

/** Who acts where no request is; a host of operators says so. */
export const Background = Context.Reference<"operator" | "service">("@posthorn/core/audit/Audited/Background", {
  defaultValue: () => "service"
})

const acting: Effect.Effect<Acting> = Effect.gen(function* () {
  const user = yield* Effect.serviceOption(CurrentUser)
  if (Option.isSome(user)) return { actor: "user", user: user.value.id }
  if (Option.isNone(yield* Effect.serviceOption(CurrentProject))) return { actor: yield* Background, user: null }
  const actor = yield* Actor
  return actor.kind === "member" ? { actor: "user", user: actor.user } : { actor: "key", user: null }
})

const actingFor = (account: AccountId): Effect.Effect<Acting> =>
  Effect.map(Background, (by) => ({ actor: by === "operator" ? by : "user", user: account }))

export const recordAs = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { actor, user }: Acting,
  { project, action, details = {} }: AuditEntry
) {
  yield* sql`
    insert into audit_log (project_id, user_id, actor, action, details, at)
    values (${project}, ${user}, ${actor}, ${action}, ${JSON.stringify(details)}::text::jsonb,
            ${DateTime.toDate(yield* DateTime.now)})`
}, Effect.orDie)

/** The change with its entry, which its result decides on; without one nothing is recorded. */
export const audited =
  (sql: SqlClient.SqlClient) =>
  <A, E = never>(change: Effect.Effect<A, E>, entry: (result: A) => AuditEntry | undefined): Effect.Effect<A, E> =>
    change.pipe(
      Effect.tap((result) => {
        const given = entry(result)
        if (given === undefined) return Effect.void
        const by = given.account === undefined ? acting : actingFor(given.account)
        return Effect.flatMap(by, (by) => recordAs(sql, by, given))
      }),
      sql.withTransaction,
      Effect.catchTag("SqlError", Effect.die)
    )
