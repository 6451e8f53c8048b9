/**
 * Jobs in PostgreSQL, served or embedded.
 *
 * An advisory lock serialises claims, so that two runners cannot both take the last place of a project. Claims are rare
 * and short. They skip rows that a running job is writing instead of waiting for them.
 */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Duration, Effect, Layer, Option, Queue, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type Statement } from "effect/sql"
import { deleteInBatches } from "../Batches.ts"
import { countOf } from "../Queries.ts"
import { nextDue } from "./Agenda.ts"
import { JobId } from "./Job.ts"
import { type Claim, type JobFilter, JobQueue, maxTries } from "./JobQueue.ts"

const lease = Duration.seconds(60)

/** A result can be 200 kB. */
const revisedAtOnce = 50

const nullable = Schema.NullOr(Schema.String)
const moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

const recordRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: JobId,
      type: Schema.String,
      groupId: nullable,
      state: Schema.Literals(["waiting", "active", "completed", "failed", "cancelled"]),
      progress: Schema.Int,
      result: nullable,
      failedReason: nullable,
      createdAt: Schema.DateTimeUtcFromDate,
      startedAt: moment,
      finishedAt: moment
    })
  )
)

const state = `case when started_at is null and finished_at is null then 'waiting' when finished_at is null then 'active'
  when cancelled then 'cancelled' when failed_reason is null then 'completed' else 'failed' end`

const columns = `id, name as type, group_id as "groupId", progress, result, failed_reason as "failedReason",
  created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt", ${state} as state`

const fileRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ content: Schema.Uint8Array })))
const Ended = Schema.Struct({ id: JobId, result: Schema.String })
const endedRows = Schema.decodeUnknownEffect(Schema.Array(Ended))
const claimedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      projectId: ProjectId,
      id: JobId,
      claim: Schema.Int,
      name: Schema.String,
      tries: Schema.Int,
      payload: Schema.String,
      progress: Schema.Int,
      result: nullable,
      checkpoint: nullable
    })
  )
)

export const layer: Layer.Layer<JobQueue, never, SecureRandom.SecureRandom | SqlClient.SqlClient> = Layer.effect(
  JobQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const random = yield* SecureRandom.SecureRandom
    const signal = yield* Queue.sliding<void>(1)

    const until = sql`clock_timestamp() + make_interval(secs => ${Duration.toSeconds(lease)})`
    const own = ({ projectId, id, claim }: Claim) => sql`
      project_id = ${projectId} and id = ${id} and claim = ${claim} and lease_until is not null returning project_id, id, finished_at`
    /** Removes what only a running job needs. */
    const finishing = (update: Statement.Fragment) =>
      counted(sql`
        with written as (${update}),
        dropped as (
          delete from job_files using written
          where job_files.project_id = written.project_id and job_files.job_id = written.id
            and written.finished_at is not null
        )
        select id from written`)
    const among = (
      project: ProjectId,
      kinds: ReadonlyArray<{ readonly name: string }>,
      { state: wanted, groupId }: JobFilter
    ) =>
      sql.and([
        sql`project_id = ${project} and name = any(${kinds.map(({ name }) => name)}::text[])`,
        ...(groupId === undefined ? [] : [sql`group_id = ${groupId}::uuid`]),
        ...(wanted === undefined ? [] : [sql`${sql.literal(state)} = ${wanted}`])
      ])
    const counted = <E>(write: Effect.Effect<ReadonlyArray<unknown>, E>) =>
      Effect.orDie(Effect.map(write, (rows) => rows.length > 0))

    return JobQueue.of({
      enqueue: Effect.fn("JobQueue.enqueue")(
        function* (project, kind, payload, now, { file, groupId } = {}) {
          const id = JobId.make(yield* random.uuidV7())
          const text = yield* Schema.encodeEffect(kind.payload)(payload)
          const job = sql`
          insert into jobs (project_id, id, name, payload, group_id, due_at, created_at)
          values (${project}, ${id}, ${kind.name}, ${text}, ${groupId ?? null}::uuid, ${DateTime.toDate(now)},
            ${DateTime.toDate(now)})`
          yield* file === undefined
            ? job
            : sql`
              with queued as (${job} returning project_id, id)
              insert into job_files (project_id, job_id, content) select project_id, id, ${file}::bytea from queued`
          yield* sql.afterCommit(Effect.asVoid(Queue.offer(signal, undefined)))
          return id
        },
        sql.withTransaction,
        Effect.orDie
      ),

      find: Effect.fn("JobQueue.find")(function* (project, kinds, id) {
        const [row] = yield* recordRows(
          yield* sql`select ${sql.literal(columns)} from jobs where project_id = ${project} and id = ${id}`
        )
        const kind = kinds.find(({ name }) => name === row?.type)
        if (row === undefined || kind === undefined) return Option.none()
        const result = row.result === null ? null : yield* Schema.decodeUnknownEffect(kind.result)(row.result)
        return Option.some({ ...row, type: kind.name, result })
      }, Effect.orDie),

      list: Effect.fn("JobQueue.list")(function* (project, kinds, filter, limit, after) {
        const behind =
          after === undefined ? [] : [sql`(created_at, id) < (${after.key}::timestamptz, ${after.id}::uuid)`]
        const found = yield* recordRows(
          yield* sql`
            select ${sql.literal(columns)} from jobs where ${sql.and([among(project, kinds, filter), ...behind])}
            order by created_at desc, id desc limit ${limit}`
        )
        return yield* Effect.forEach(found, (row) => {
          const kind = kinds.find(({ name }) => name === row.type)
          if (kind === undefined) return Effect.die(new Error("A job was read that nobody asked for"))
          const { result: text } = row
          const result = text === null ? Effect.succeed(null) : Schema.decodeUnknownEffect(kind.result)(text)
          return Effect.map(result, (result) => ({ ...row, type: kind.name, result }))
        })
      }, Effect.orDie),

      count: (project, kinds, filter) =>
        countOf(sql`select count(*)::int as count from jobs where ${among(project, kinds, filter)}`),

      cancel: (project, kinds, id, now) =>
        finishing(sql`
          update jobs set cancelled = true, payload = null, checkpoint = null, lease_until = null,
                 finished_at = ${DateTime.toDate(now)}
          where ${among(project, kinds, {})} and id = ${id} and finished_at is null
          returning project_id, id, finished_at`),

      file: ({ projectId, id }) =>
        sql`select content from job_files where project_id = ${projectId} and job_id = ${id}`.pipe(
          Effect.flatMap(fileRows),
          Effect.map((rows) => Option.map(Array.head(rows), ({ content }) => content)),
          Effect.orDie
        ),

      woken: Effect.orDie(Queue.take(signal)),

      nextDue: nextDue(sql`select min(due_at) from jobs where finished_at is null`),

      claim: Effect.fn("JobQueue.claim")(
        function* (kinds, now) {
          yield* sql`select pg_advisory_xact_lock(hashtextextended('posthorn:jobs:' || current_schema(), 0))`
          const maxima = JSON.stringify(
            kinds.map(({ name, perProject, whileEnabled = false }) => ({
              name,
              max: perProject,
              enabled: whileEnabled
            }))
          )
          const [row] = yield* claimedRows(
            yield* sql`
              with due as materialized (
                select job.project_id, job.id
                from jobs as job join jsonb_to_recordset(${maxima}::text::jsonb) as kind (name text, max int, enabled boolean)
                  using (name)
                where job.finished_at is null and job.due_at <= ${DateTime.toDate(now)}::timestamptz
                  and (job.lease_until is null or job.lease_until <= clock_timestamp())
                  and (kind.max is null or kind.max > (
                    select count(*) from jobs as other
                    where other.project_id = job.project_id and other.name = job.name and other.id <> job.id
                      and other.started_at is not null and other.finished_at is null))
                  and (not kind.enabled or not exists (
                    select from projects where projects.id = job.project_id and projects.disabled_at is not null))
                order by job.due_at, job.id limit 1
                for update of job skip locked
              )
              update jobs set claim = claim + 1, tries = tries + 1, lease_until = ${until},
                     started_at = coalesce(started_at, ${DateTime.toDate(now)}::timestamptz)
              from due where jobs.project_id = due.project_id and jobs.id = due.id
              returning jobs.project_id as "projectId", jobs.id, claim, name, tries, payload, progress, result, checkpoint`
          )
          if (row === undefined) return Option.none()
          const { progress, result, checkpoint, ...job } = row
          const begun = result !== null && checkpoint !== null
          return Option.some({ ...job, saved: begun ? Option.some({ progress, result, checkpoint }) : Option.none() })
        },
        sql.withTransaction,
        Effect.orDie
      ),

      renew: (claim) => counted(sql`update jobs set lease_until = ${until} where ${own(claim)}`),

      saveProgress: (claim, { progress, result, checkpoint }) =>
        counted(sql`
          update jobs set progress = ${Math.trunc(progress)}, result = ${result}, checkpoint = ${checkpoint},
                 tries = case when checkpoint is distinct from ${checkpoint} then 1 else tries end
          where ${own(claim)}`),

      complete: (claim, result, now) =>
        finishing(sql`
          update jobs set progress = 100, result = ${result}, payload = null, checkpoint = null, lease_until = null,
                 finished_at = ${DateTime.toDate(now)}
          where ${own(claim)}`),

      fail: (claim, reason, now) =>
        finishing(sql`
          update jobs set lease_until = null,
                 due_at = ${DateTime.toDate(now)}::timestamptz + make_interval(secs => 2 ^ (tries - 1)),
                 finished_at = case when tries >= ${maxTries} then ${DateTime.toDate(now)}::timestamptz end,
                 failed_reason = case when tries >= ${maxTries} then ${reason} end,
                 payload = case when tries < ${maxTries} then payload end,
                 checkpoint = case when tries < ${maxTries} then checkpoint end
          where ${own(claim)}`),

      release: (claim) =>
        Effect.asVoid(counted(sql`update jobs set lease_until = null, tries = tries - 1 where ${own(claim)}`)),

      revise: Effect.fn("JobQueue.revise")(function* (project, { name, result: codec }, change) {
        let page: ReadonlyArray<typeof Ended.Type> = []
        do {
          page = yield* endedRows(
            yield* sql`
              select id, result from jobs
              where project_id = ${project} and name = ${name} and finished_at is not null and result is not null
                and id > coalesce(${page.at(-1)?.id ?? null}::uuid, '00000000-0000-0000-0000-000000000000')
              order by id limit ${revisedAtOnce}`
          )
          for (const { id, result } of page) {
            const changed = change(yield* Schema.decodeEffect(codec)(result))
            if (Option.isNone(changed)) continue
            const text = yield* Schema.encodeEffect(codec)(changed.value)
            yield* sql`update jobs set result = ${text} where project_id = ${project} and id = ${id}`
          }
        } while (page.length === revisedAtOnce)
      }, Effect.orDie),

      sweep: (before) =>
        deleteInBatches(sql, "jobs", sql`finished_at <= ${DateTime.toDate(before)}`).pipe(Effect.asVoid, Effect.orDie)
    })
  })
)
