/** The suppression list in PostgreSQL or PGlite. */
import { type Suppression, SuppressionCause } from "@posthorn/contract/audience/suppressions/Suppression"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { deleteInBatches } from "../../platform/Batches.ts"
import type { Position } from "../../platform/Cursors.ts"
import type { DateRange } from "../../platform/DateRange.ts"
import { countOf } from "../../platform/Queries.ts"
import { hashPrefix } from "./ErasureKeys.ts"
import { SuppressedAddress } from "./SuppressedAddress.ts"

export interface SuppressionFilter extends DateRange {
  readonly reason?: SuppressionCause | undefined
  readonly search?: string | undefined
  /** Leaves out erased addresses, of which only the hash is stored. */
  readonly isReadable?: true | undefined
}

/** An address to add to the list. `id` is used if the address is new there. */
export interface NewSuppression {
  readonly id: string
  readonly email: string
}

/** Every method takes the project id first. An address is found even if only its hash is stored. */
export interface SuppressionStore {
  /** Adds one address to the list. If it is already there, only a complaint replaces another reason. */
  readonly put: (
    project: ProjectId,
    suppression: NewSuppression & { readonly reason: SuppressionCause; readonly emailId: EmailId | null },
    now: DateTime.Utc
  ) => Effect.Effect<void>
  /** Adds distinct addresses to the list by hand, in one statement. Returns those that are new there. */
  readonly addAll: (
    project: ProjectId,
    suppressions: Array.NonEmptyReadonlyArray<NewSuppression>,
    note: string | null,
    now: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<Suppression>>
  readonly find: (project: ProjectId, email: string) => Effect.Effect<Option.Option<Suppression>>
  /** The id of the record that was removed, if there was one. */
  readonly remove: (project: ProjectId, email: string) => Effect.Effect<Option.Option<string>>
  /** The given addresses whose owners complained. */
  readonly complained: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  /** Replaces the address with its hash if it is on the list. */
  readonly erase: (project: ProjectId, email: string) => Effect.Effect<void>
  /** Newest first. */
  readonly list: (
    project: ProjectId,
    filter: SuppressionFilter,
    limit: number,
    after?: Position
  ) => Effect.Effect<ReadonlyArray<Suppression>>
  readonly count: (project: ProjectId, filter: SuppressionFilter) => Effect.Effect<number>
  /**
   * Records a soft bounce, such as a full mailbox, once for each mail. Returns how many mails to the address had soft
   * bounces since `from`.
   */
  readonly softBounce: (
    project: ProjectId,
    email: string,
    mail: EmailId,
    at: DateTime.Utc,
    from: DateTime.Utc
  ) => Effect.Effect<number>
  /** Deletes soft bounces before `before`. */
  readonly sweepSoftBounces: (before: DateTime.Utc) => Effect.Effect<void>
}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      email: Schema.NullOr(Schema.String),
      reason: SuppressionCause,
      emailId: Schema.NullOr(Schema.String),
      note: Schema.NullOr(Schema.String),
      createdAt: Schema.DateTimeUtcFromDate
    })
  )
)
const emailRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ email: Schema.String })))

const columns = `id, case when email like '${hashPrefix}%' then null else email end as email, reason,
  email_id as "emailId", note, created_at as "createdAt"`

/** A pattern that matches the search term literally, without LIKE wildcards. */
const literally = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`

export const make = Effect.gen(function* (): Effect.fn.Return<
  SuppressionStore,
  never,
  SqlClient.SqlClient | SuppressedAddress
> {
  const sql = yield* SqlClient.SqlClient
  const address = yield* SuppressedAddress
  const all = sql.literal(columns)

  const isOf = (project: ProjectId, email: string) => sql`
    project_id = ${project} and email = any(${address.forms(sql`${project}::text`, sql`${email}::text`)})`

  const matching = (project: ProjectId, { reason, search, isReadable, from, until }: SuppressionFilter) =>
    sql.and([
      sql`project_id = ${project}`,
      ...(reason ? [sql`reason = ${reason}`] : []),
      ...(search ? [sql`email like ${literally(search)}`] : []),
      ...(search || isReadable ? [sql`email not like ${`${hashPrefix}%`}`] : []),
      ...(from ? [sql`created_at >= ${DateTime.toDate(from)}`] : []),
      ...(until ? [sql`created_at < ${DateTime.toDate(until)}`] : [])
    ])

  const behind = ({ key, id }: Position) => sql`(created_at, id) < (${key}::timestamptz, ${id}::uuid)`

  return {
    put: Effect.fn("SuppressionStore.put")(function* (project, { id, email, reason, emailId }, now) {
      const found = yield* sql`
        update suppressions
        set reason = case when ${reason} = 'COMPLAINT' then ${reason} else reason end,
            email_id = case when ${reason} = 'COMPLAINT' and reason <> 'COMPLAINT' then ${emailId}::uuid
                       else email_id end
        where ${isOf(project, email)} returning 1`
      if (found.length > 0) return
      yield* sql`
        insert into suppressions as held (project_id, id, email, reason, email_id, created_at)
        values (${project}, ${id}, ${email}, ${reason}, ${emailId}::uuid, ${DateTime.toDate(now)})
        on conflict (project_id, email) do update set reason = excluded.reason, email_id = excluded.email_id
        where excluded.reason = 'COMPLAINT' and held.reason <> 'COMPLAINT'`
    }, Effect.orDie),
    addAll: (project, suppressions, note, now) =>
      sql`
        insert into suppressions (project_id, id, email, reason, note, created_at)
        select ${project}::uuid, id, email, 'MANUAL', ${note}::text, ${DateTime.toDate(now)}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(suppressions)}::text::jsonb) as given(id uuid, email text)
        where not exists (
          select from suppressions as held where held.project_id = ${project}::uuid
            and held.email = any(${address.forms(sql`${project}::text`, sql`given.email`)}))
        on conflict (project_id, email) do nothing
        returning ${all}`.pipe(Effect.flatMap(rows), Effect.orDie),
    find: (project, email) =>
      sql`select ${all} from suppressions where ${isOf(project, email)} limit 1`.pipe(
        Effect.flatMap(rows),
        Effect.map(Array.head),
        Effect.orDie
      ),
    remove: (project, email) =>
      sql`delete from suppressions where ${isOf(project, email)} returning ${all}`.pipe(
        Effect.flatMap(rows),
        Effect.map((removed) => Option.map(Array.head(removed), ({ id }) => id)),
        Effect.orDie
      ),
    complained: Effect.fn("SuppressionStore.complained")(function* (project, emails) {
      const found = yield* emailRows(
        yield* sql`
          select given.email from unnest(${[...emails]}::text[]) as given(email)
          where exists (
            select from suppressions as held where held.project_id = ${project}::uuid and held.reason = 'COMPLAINT'
              and held.email = any(${address.forms(sql`${project}::text`, sql`given.email`)}))`
      )
      return new Set(found.map(({ email }) => email))
    }, Effect.orDie),
    erase: Effect.fn("SuppressionStore.erase")(function* (project, email) {
      yield* sql`
        update suppressions set email = ${address.hash(sql`${project}::text`, sql`${email}::text`)}, note = null
        where project_id = ${project} and email = ${email}`
      yield* sql`delete from soft_bounces where project_id = ${project} and email = ${email}`
    }, Effect.orDie),
    list: (project, filter, limit, after) =>
      sql`
        select ${all} from suppressions
        where ${sql.and([matching(project, filter), ...(after ? [behind(after)] : [])])}
        order by created_at desc, id desc limit ${limit}`.pipe(Effect.flatMap(rows), Effect.orDie),
    count: (project, filter) =>
      countOf(sql`select count(*)::int as count from suppressions where ${matching(project, filter)}`),
    softBounce: Effect.fn("SuppressionStore.softBounce")(function* (project, email, mail, at, from) {
      yield* sql`
        insert into soft_bounces (project_id, email, email_id, at)
        values (${project}, ${email}, ${mail}, ${DateTime.toDate(at)})
        on conflict (project_id, email, email_id) do update set at = greatest(soft_bounces.at, excluded.at)`
      return yield* countOf(sql`
        select count(*)::int as count from soft_bounces
        where project_id = ${project} and email = ${email} and at > ${DateTime.toDate(from)}`)
    }, Effect.orDie),
    sweepSoftBounces: (before) =>
      deleteInBatches(sql, "soft_bounces", sql`at < ${DateTime.toDate(before)}`).pipe(Effect.asVoid, Effect.orDie)
  }
})
