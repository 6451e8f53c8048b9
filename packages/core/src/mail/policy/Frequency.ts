/**
 * The mails of each contact that count for the caps of its project.
 *
 * A mail takes a place before its first try, by one upsert of the row of its contact that succeeds only below every cap.
 * So two workers, or a campaign and a workflow, cannot both take the last place. A mail takes its place once, whatever
 * becomes of its tries. The rows are locked in the order of contacts.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  countsAfter,
  type FrequencyAnswer,
  type FrequencyEntry,
  type FrequencyRequest,
  frequencyMillis,
  maxFrequencyEntries,
  placeAt
} from "./FrequencyCaps.ts"

const entry = Schema.Struct({
  emailId: Schema.String,
  topicId: Schema.NullOr(Schema.String),
  at: Schema.Finite
})
const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ projectId: Schema.String, contactId: Schema.String, entries: Schema.Array(entry) }))
)
const takenRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ projectId: Schema.String, contactId: Schema.String }))
)

interface Key {
  readonly projectId: string
  readonly contactId: string
}

const keyOf = ({ projectId, contactId }: Key): string => `${projectId} ${contactId}`

/** Asked again so soon if a place became free while the mail asked. */
const soon = 1_000

/** Groups in which each contact is at most once. */
const rounds = (requests: ReadonlyArray<FrequencyRequest>): ReadonlyArray<ReadonlyArray<FrequencyRequest>> => {
  const counts = new Map<string, number>()
  const found: Array<Array<FrequencyRequest>> = []
  for (const request of requests) {
    const n = counts.get(keyOf(request)) ?? 0
    counts.set(keyOf(request), n + 1)
    const round = found[n] ?? []
    round.push(request)
    found[n] = round
  }
  return found
}

/** The newest entries of both lists. */
const newest = (sql: SqlClient.SqlClient, one: string, other: string, now: number) => sql`
  (select coalesce(jsonb_agg(entry order by (entry ->> 'at')::bigint desc), '[]')
   from (
     select entry from jsonb_array_elements(${sql.literal(`${one} || ${other}`)}) as each (entry)
     where (entry ->> 'at')::bigint > ${now - frequencyMillis}::bigint
     order by (entry ->> 'at')::bigint desc limit ${maxFrequencyEntries}
   ) as kept)`

/**
 * Returns the contacts whose mail has a new place. The requests are of different contacts. The subquery of the caps keeps
 * PostgreSQL from reading the caps of all of them again for each of them.
 */
const takeStatement = (
  sql: SqlClient.SqlClient,
  requests: ReadonlyArray<FrequencyRequest>,
  now: number
): Statement.Statement<unknown> => {
  const given = requests.map(({ projectId, contactId, emailId, topicId }) => ({
    projectId,
    contactId,
    entries: [{ emailId, topicId, at: now }]
  }))
  const caps = Object.fromEntries(
    requests.map((request) => [
      keyOf(request),
      request.caps.map((cap) => ({
        limit: cap.limit,
        topicId: cap.topicId,
        after: countsAfter(cap, request.countSince, now)
      }))
    ])
  )
  return sql`
    insert into contact_frequency as stored (project_id, contact_id, entries, updated_at)
    select "projectId", "contactId", entries, ${new Date(now)}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb)
      as given("projectId" uuid, "contactId" uuid, entries jsonb)
    where exists (select from contacts where contacts.project_id = "projectId" and contacts.id = "contactId")
    order by "projectId", "contactId"
    on conflict (project_id, contact_id) do update
      set entries = ${newest(sql, "excluded.entries", "stored.entries", now)}, updated_at = excluded.updated_at
      where not stored.entries @> jsonb_build_array(jsonb_build_object('emailId', excluded.entries -> 0 -> 'emailId'))
        and not exists (
          select from jsonb_to_recordset(
            (select ${JSON.stringify(caps)}::text::jsonb) -> (excluded.project_id || ' ' || excluded.contact_id)
          ) as cap("limit" int, "topicId" text, after bigint)
          where "limit" <= (
            select count(*) from jsonb_array_elements(stored.entries) as each (entry)
            where (entry ->> 'at')::bigint > cap.after
              and (cap."topicId" is null or entry ->> 'topicId' = cap."topicId")))
    returning project_id as "projectId", contact_id as "contactId"`
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const entriesOf = Effect.fnUntraced(function* (keys: ReadonlyArray<Key>) {
    if (keys.length === 0) return new Map<string, ReadonlyArray<FrequencyEntry>>()
    const found = yield* rows(
      yield* sql`
        select project_id as "projectId", contact_id as "contactId", entries
        from jsonb_to_recordset(${JSON.stringify(keys.map(({ projectId, contactId }) => ({ projectId, contactId })))}::text::jsonb)
          as given("projectId" uuid, "contactId" uuid)
        join contact_frequency on project_id = "projectId" and contact_id = "contactId"`
    )
    return new Map(found.map((row) => [keyOf(row), row.entries]))
  })

  /** Why a mail got no new place: it has one already, or the caps are full. */
  const answerOf = (
    request: FrequencyRequest,
    entries: ReadonlyArray<FrequencyEntry>,
    now: number
  ): FrequencyAnswer => {
    // A contact without entries was deleted meanwhile. Its mail is refused elsewhere.
    if (entries.length === 0 || entries.some(({ emailId }) => emailId === request.emailId)) return null
    return placeAt(request, entries, now) ?? now + soon
  }

  const takeRound = Effect.fnUntraced(function* (requests: ReadonlyArray<FrequencyRequest>) {
    const now = (yield* DateTime.now).epochMilliseconds
    const taken = new Set((yield* takenRows(yield* takeStatement(sql, requests, now))).map(keyOf))
    const refused = requests.filter((request) => !taken.has(keyOf(request)))
    const entries = yield* entriesOf(refused)
    return requests.map((request): readonly [FrequencyRequest, FrequencyAnswer] => [
      request,
      taken.has(keyOf(request)) ? null : answerOf(request, entries.get(keyOf(request)) ?? [], now)
    ])
  })

  return {
    /** Joins the caller's transaction, if there is one. */
    take: Effect.fn("Frequency.take")(function* (requests: ReadonlyArray<FrequencyRequest>) {
      const answers = new Map<FrequencyRequest, FrequencyAnswer>()
      for (const round of rounds(requests)) {
        for (const [request, answer] of yield* takeRound(round)) answers.set(request, answer)
      }
      return answers
    }, Effect.orDie),
    /** The mails of a contact that count, newest first. */
    of: Effect.fn("Frequency.of")(function* (projectId: ProjectId, contactId: string) {
      return (yield* entriesOf([{ projectId, contactId }])).get(keyOf({ projectId, contactId })) ?? []
    }, Effect.orDie)
  }
})

export type Frequency = Effect.Success<typeof make>

/** Removes the entries of a contact. Joins the caller's transaction. */
export const forgetFrequency = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  contact: string
): Statement.Statement<unknown> =>
  sql`delete from contact_frequency where project_id = ${project} and contact_id = ${contact}`

/** Gives the entries of a contact to the one that takes its place. Joins the caller's transaction. */
export const moveFrequency = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  from: string,
  to: string,
  now: DateTime.Utc
): Statement.Statement<unknown> => sql`
  with gone as (
    delete from contact_frequency where project_id = ${project} and contact_id = ${from} returning *
  )
  insert into contact_frequency as stored (project_id, contact_id, entries, updated_at)
  select project_id, ${to}::uuid, entries, updated_at from gone
  on conflict (project_id, contact_id) do update
    set entries = ${newest(sql, "excluded.entries", "stored.entries", now.epochMilliseconds)},
        updated_at = greatest(stored.updated_at, excluded.updated_at)`
