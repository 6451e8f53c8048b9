/** Records a change and who made it, in one transaction: both, or neither. */
import {
  type AccountId,
  Actor,
  type ApiKeyHolder,
  apiKeyOf,
  CurrentProject,
  CurrentUser,
  type ProjectId
} from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Effect, Option, type Schema } from "effect"
import type { SqlClient } from "effect/sql"

/** An entry of the audit log. It contains no key, token or address. */
export interface AuditEntry {
  readonly project: ProjectId | null
  /**
   * The account that the change is about. A caller who has proved its password, session or mailbox is recorded as its
   * user.
   */
  readonly account?: AccountId
  readonly action: string
  readonly details?: Readonly<Record<string, Schema.Json>>
}

export interface Acting {
  /**
   * A user with a session, a caller with a key, a user of the host, the operator of the installation, or the service
   * itself.
   */
  readonly actor: "host" | "key" | "operator" | "service" | "user"
  readonly user: AccountId | null
  /** The id of a user of the host, which is an entry of the details. */
  readonly hostUser?: string
  /** Absent for a caller with the secret key. */
  readonly apiKey?: Pick<ApiKeyHolder, "id" | "name">
}

/** The actor when there is no request. A host for operators sets it to `operator`. */
export const Background = Context.Reference<"operator" | "service">("@posthorn/core/audit/Audited/Background", {
  defaultValue: () => "service"
})

/** The actor of the current request, or of the current work. */
export const acting: Effect.Effect<Acting> = Effect.gen(function* () {
  const actor = yield* Actor
  if (actor.kind === "host") return { actor: "host", user: null, hostUser: actor.user }
  const user = yield* Effect.serviceOption(CurrentUser)
  if (Option.isSome(user)) return { actor: "user", user: user.value.id }
  if (Option.isNone(yield* Effect.serviceOption(CurrentProject))) return { actor: yield* Background, user: null }
  if (actor.kind === "member") return { actor: "user", user: actor.user }
  const apiKey = apiKeyOf(actor)
  return { actor: "key", user: null, ...(apiKey && { apiKey }) }
})

const actingFor = (account: AccountId): Effect.Effect<Acting> =>
  Effect.map(Background, (by) => ({ actor: by === "operator" ? by : "user", user: account }))

export const recordAs = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { actor, user, hostUser, apiKey }: Acting,
  { project, action, details = {} }: AuditEntry
) {
  yield* sql`
    insert into audit_log (project_id, user_id, actor, api_key_id, api_key_name, action, details, at)
    values (${project}, ${user}, ${actor}, ${apiKey?.id ?? null}, ${apiKey?.name ?? null}, ${action},
            ${JSON.stringify(hostUser === undefined ? details : { ...details, user: hostUser })}::text::jsonb, ${DateTime.toDate(yield* DateTime.now)})`
}, Effect.orDie)

/** Records an entry about the current caller. Joins the caller's transaction. */
export const recorded =
  (sql: SqlClient.SqlClient) =>
  (entry: AuditEntry): Effect.Effect<void> =>
    Effect.flatMap(acting, (by) => recordAs(sql, by, entry))

/** The change with its audit entry. `entry` makes the entry from the result; undefined records nothing. */
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
