/** Tests that every JobQueue must pass, over a layer. */

import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, type Duration, Effect, type Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Position } from "../Cursors.ts"
import { Transaction } from "../Transaction.ts"
import * as Job from "./Job.ts"
import { type Claim, JobQueue } from "./JobQueue.ts"

const start = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))
const later = (duration: Duration.Input) => DateTime.addDuration(start, duration)

const kind = <const Name extends string>(name: Name, perProject?: number) =>
  Job.define({
    name,
    payload: Schema.Struct({ text: Schema.String }),
    result: Schema.Struct({ done: Schema.Int }),
    checkpoint: Schema.Int,
    ...(perProject !== undefined && { perProject }),
    run: () => Effect.succeed({ done: 0 })
  })
const free = kind("free")
const paired = kind("paired", 2)
const kinds = [free, paired]

const result = (done: number) => JSON.stringify({ done })
const point = (done: number) => ({ progress: done, result: result(done), checkpoint: JSON.stringify(done) })

export const jobQueueSuite = (name: string, storage: Layer.Layer<JobQueue | SqlClient.SqlClient | Transaction>) => {
  const newProject = Effect.sync(() => ProjectId.make(randomUUID()))

  /** Removes all earlier jobs, since all projects share one queue. */
  const fresh = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`truncate jobs cascade`
    return { sql, queue: yield* JobQueue, project: yield* newProject }
  })

  const enqueue = (project: ProjectId, job: typeof free | typeof paired, now = start) =>
    JobQueue.use((queue) => queue.enqueue(project, job, { text: "Hi" }, now))

  const record = Effect.fnUntraced(function* (project: ProjectId, id: Job.JobId) {
    const queue = yield* JobQueue
    return Option.getOrThrow(yield* queue.find(project, kinds, id))
  })

  const claimable = (now = start) => JobQueue.use((queue) => queue.claim(kinds, now))
  const claim = Effect.fnUntraced(function* (now = start) {
    return Option.getOrThrow(yield* claimable(now))
  })

  /** Expires the claim, as if its runner had died. */
  const kill = ({ id }: Claim) =>
    SqlClient.SqlClient.use(
      (sql) => sql`update jobs set lease_until = clock_timestamp() - interval '1 second' where id = ${id}`
    )

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("keeps the file of a job until it ends, in whatever way", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        const file = Uint8Array.of(0, 1, 255, 10)
        const upload = queue.enqueue(project, free, { text: "Hi" }, start, { file })
        const fileOf = (id: Job.JobId) => queue.file({ projectId: project, id })

        const done = yield* upload
        const first = yield* claim()
        assert.deepStrictEqual(yield* fileOf(done), Option.some(file))
        yield* queue.saveProgress(first, point(1))
        yield* queue.release(first)
        assert.isTrue(yield* queue.complete(yield* claim(), result(1), start))
        assert.deepStrictEqual(yield* fileOf(done), Option.none())

        const failing = yield* upload
        for (const [n, second] of [0, 1, 3].entries()) {
          assert.deepStrictEqual(yield* fileOf(failing), Option.some(file), `before try ${n + 1}`)
          yield* queue.fail(yield* claim(later(`${second} seconds`)), "It failed.", later(`${second} seconds`))
        }
        assert.strictEqual((yield* record(project, failing)).state, "failed")
        assert.deepStrictEqual(yield* fileOf(failing), Option.none())
        const without = yield* enqueue(project, free)
        assert.deepStrictEqual(yield* fileOf(without), Option.none())
      })
    )

    it.effect("lists the jobs of a project by kind, state and group, newest first", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        const groupId = randomUUID()
        const add = (job: typeof free | typeof paired, seconds: number, group?: string) =>
          queue.enqueue(project, job, { text: "Hi" }, later(`${seconds} seconds`), { groupId: group })
        const first = yield* add(free, 0)
        const second = yield* add(free, 1, groupId)
        const third = yield* add(paired, 2, groupId)
        yield* queue.enqueue(yield* newProject, free, { text: "Theirs" }, start, { groupId })
        yield* queue.complete(yield* claim(), result(1), start)
        const ids = (wanted: typeof kinds, filter = {}, limit = 10, after?: Position) =>
          Effect.map(queue.list(project, wanted, filter, limit, after), (found) => found.map(({ id }) => id))
        assert.deepStrictEqual(yield* ids(kinds), [third, second, first])
        assert.deepStrictEqual(yield* ids([free]), [second, first])
        assert.deepStrictEqual(yield* ids(kinds, { groupId }), [third, second])
        assert.deepStrictEqual(yield* ids(kinds, { state: "completed" }), [first])
        assert.deepStrictEqual(yield* ids(kinds, { state: "waiting", groupId }, 1), [third])
        const behind = { key: DateTime.formatIso(later("2 seconds")), id: third }
        assert.deepStrictEqual(yield* ids(kinds, {}, 10, behind), [second, first])
        assert.strictEqual(yield* queue.count(project, kinds, { groupId }), 2)
        const [found] = yield* queue.list(project, [free], { state: "completed" }, 1)
        assert.deepStrictEqual(found, yield* record(project, first))
      })
    )

    it.effect("cancels a job that waits or runs, once; what it saved stays, and its claim is lost", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        const file = Uint8Array.of(1)
        const running = yield* queue.enqueue(project, free, { text: "Hi" }, start, { file })
        const claimed = yield* claim()
        assert.isTrue(yield* queue.saveProgress(claimed, point(1)))
        assert.isFalse(yield* queue.cancel(yield* newProject, kinds, running, start))
        assert.isFalse(yield* queue.cancel(project, [paired], running, start))
        assert.isTrue(yield* queue.cancel(project, kinds, running, later("5 seconds")))
        assert.isFalse(yield* queue.cancel(project, kinds, running, later("6 seconds")))
        assert.deepInclude(yield* record(project, running), {
          state: "cancelled",
          result: { done: 1 },
          finishedAt: later("5 seconds")
        })
        assert.deepStrictEqual(yield* queue.file(claimed), Option.none())
        assert.isFalse(yield* queue.saveProgress(claimed, point(2)))
        assert.isFalse(yield* queue.complete(claimed, result(2), start))
        yield* kill(claimed)
        assert.isTrue(Option.isNone(yield* claimable()))

        const waiting = yield* enqueue(project, free)
        assert.isTrue(yield* queue.cancel(project, kinds, waiting, start))
        assert.deepInclude(yield* record(project, waiting), { state: "cancelled", startedAt: null, result: null })
        assert.isTrue(Option.isNone(yield* claimable()))
      })
    )

    it.effect("shows a job from its start to its end", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        const id = yield* queue.enqueue(project, free, { text: "a\u0000b" }, start)
        const waiting = {
          id,
          type: "free",
          groupId: null,
          state: "waiting",
          progress: 0,
          result: null,
          failedReason: null,
          createdAt: start,
          startedAt: null,
          finishedAt: null
        } as const
        assert.deepStrictEqual(yield* record(project, id), waiting)

        const claimed = yield* claim(later("1 second"))
        assert.strictEqual(claimed.payload, '{"text":"a\\u0000b"}')
        const active = { ...waiting, state: "active", startedAt: later("1 second") } as const
        assert.deepStrictEqual(yield* record(project, id), active)
        assert.isTrue(yield* queue.saveProgress(claimed, { ...point(40), progress: 40.9 }))
        assert.deepStrictEqual(yield* record(project, id), { ...active, progress: 40, result: { done: 40 } })

        assert.isTrue(yield* queue.complete(claimed, result(100), later("2 seconds")))
        assert.deepStrictEqual(yield* record(project, id), {
          ...active,
          state: "completed",
          progress: 100,
          result: { done: 100 },
          finishedAt: later("2 seconds")
        })
        assert.isTrue(Option.isNone(yield* claimable(later("30 days"))))
      })
    )

    it.effect("shows a job to its own project, and under its own kind", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        const id = yield* enqueue(project, free)
        assert.isTrue(Option.isSome(yield* queue.find(project, [paired, free], id)))
        assert.isTrue(Option.isNone(yield* queue.find(project, [paired], id)))
        assert.isTrue(Option.isNone(yield* queue.find(yield* newProject, kinds, id)))
      })
    )

    it.effect("a job is there when the transaction that asked for it is committed, and only then", () =>
      Effect.gen(function* () {
        const { queue, project, sql } = yield* fresh
        const { run } = yield* Transaction
        yield* Effect.exit(run(Effect.andThen(enqueue(project, free), Effect.fail("thought better of it"))))
        assert.deepStrictEqual(yield* sql`select id from jobs`, [])
        const id = yield* run(enqueue(project, free))
        yield* queue.woken
        assert.strictEqual((yield* claim()).id, id)
      })
    )

    it.effect("of many runners one gets a job", () =>
      Effect.gen(function* () {
        const { project } = yield* fresh
        const ids = yield* Effect.replicateEffect(enqueue(project, free), 5)
        const claims = yield* Effect.all(
          Array.from({ length: 12 }, () => claimable()),
          { concurrency: "unbounded" }
        )
        assert.sameMembers(
          claims.flatMap((claimed) => (Option.isSome(claimed) ? [claimed.value.id] : [])),
          ids
        )
      })
    )

    it.effect("no more of a project are under way at once than its kind allows, also between two tries", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        const other = yield* newProject
        for (const each of [project, other]) yield* Effect.replicateEffect(enqueue(each, paired), 4)
        const claims = yield* Effect.all(
          Array.from({ length: 12 }, () => claimable()),
          { concurrency: "unbounded" }
        )
        const [first, second, ...rest] = claims.flatMap((claimed) =>
          Option.isSome(claimed) && claimed.value.projectId === project ? [claimed.value] : []
        )
        assert.isDefined(first)
        assert.isDefined(second)
        assert.deepStrictEqual(rest, [])
        assert.strictEqual(claims.filter(Option.isSome).length, 4)

        yield* queue.fail(first, "No.", start)
        assert.isTrue(Option.isNone(yield* claimable()))
        yield* queue.complete(second, result(1), start)
        const third = yield* claim()
        assert.notInclude([first.id, second.id], third.id)
        assert.isTrue(Option.isNone(yield* claimable()))
        assert.strictEqual((yield* claim(later("1 second"))).id, first.id)
      })
    )

    it.effect("the oldest due job goes first, and none that this runner does not know", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        const second = yield* enqueue(project, free, later("1 minute"))
        const first = yield* enqueue(yield* newProject, free)
        yield* enqueue(project, paired)
        const next = (now: DateTime.Utc) => queue.claim([free], now)
        assert.strictEqual(Option.getOrThrow(yield* next(start)).id, first)
        assert.isTrue(Option.isNone(yield* next(later("59 seconds"))))
        assert.strictEqual(Option.getOrThrow(yield* next(later("1 minute"))).id, second)
        assert.isTrue(Option.isNone(yield* next(later("1 hour"))))
      })
    )

    it.effect("a job of a dead runner goes on where it stood, and the dead one's word no longer counts", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        yield* enqueue(project, free)
        const dead = yield* claim()
        assert.isTrue(Option.isNone(dead.saved))
        assert.isTrue(yield* queue.saveProgress(dead, point(7)))
        assert.isTrue(Option.isNone(yield* claimable(later("1 hour"))))
        yield* kill(dead)
        const alive = yield* claim()
        assert.strictEqual(alive.id, dead.id)
        assert.deepStrictEqual(alive.saved, Option.some(point(7)))

        assert.isFalse(yield* queue.renew(dead))
        assert.isFalse(yield* queue.saveProgress(dead, point(8)))
        assert.isFalse(yield* queue.complete(dead, result(9), start))
        assert.isFalse(yield* queue.fail(dead, "No.", start))
        yield* queue.release(dead)
        assert.deepInclude(yield* record(project, dead.id), { state: "active", result: { done: 7 } })
        assert.isTrue(yield* queue.complete(alive, result(10), start))
      })
    )

    it.effect("a renewed claim holds", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        yield* enqueue(project, free)
        const claimed = yield* claim()
        yield* kill(claimed)
        assert.isTrue(yield* queue.renew(claimed))
        assert.isTrue(Option.isNone(yield* claimable()))
      })
    )

    it.effect("results can be revised once their jobs have ended, of one project and kind, however many", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        const others = [yield* enqueue(yield* newProject, free), yield* enqueue(project, paired)]
        const own = yield* Effect.replicateEffect(enqueue(project, free), 51)
        for (const _ of [...others, ...own]) yield* queue.complete(yield* claim(), result(1), start)
        const open = yield* enqueue(project, free)
        yield* queue.saveProgress(yield* claim(), point(1))
        const seen: Array<number> = []
        yield* queue.revise(project, free, ({ done }) => {
          seen.push(done)
          return seen.length === 1 ? Option.none() : Option.some({ done: 2 })
        })
        assert.lengthOf(seen, 51)
        const results = yield* Effect.forEach([...own, open, ...others.slice(1)], (id) => record(project, id))
        assert.deepStrictEqual(
          results.map(({ result }) => result?.done),
          [1, ...Array.from({ length: 50 }, () => 2), 1, 1]
        )
      })
    )

    it.effect("a job that fails is due after 1 and 2 seconds, and ends with the third reason", () =>
      Effect.gen(function* () {
        const { queue, project, sql } = yield* fresh
        const id = yield* enqueue(project, free)
        const first = yield* claim()
        yield* queue.saveProgress(first, point(5))
        yield* queue.release(first)
        for (const [reason, due, wait] of [
          ["First.", 0, 1_000],
          ["Second.", 1_000, 2_000]
        ] as const) {
          assert.isTrue(yield* queue.fail(yield* claim(later(due)), reason, later(due)))
          assert.isTrue(Option.isNone(yield* claimable(later(due + wait - 1))))
          assert.deepInclude(yield* record(project, id), { state: "active", failedReason: null, finishedAt: null })
        }
        assert.isTrue(yield* queue.fail(yield* claim(later(3_000)), "Third.", later(4_000)))
        assert.deepInclude(yield* record(project, id), {
          state: "failed",
          failedReason: "Third.",
          progress: 5,
          result: { done: 5 },
          finishedAt: later(4_000)
        })
        assert.isTrue(Option.isNone(yield* claimable(later("30 days"))))
        assert.deepStrictEqual(yield* sql`select payload, checkpoint from jobs`, [{ payload: null, checkpoint: null }])
      })
    )

    it.effect("a step forward resets the count of tries; the same point again does not", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        yield* enqueue(project, free)
        const tries: Array<number> = []
        for (const step of [1, 2, 3, 3, 3]) {
          const claimed = yield* claim()
          tries.push(claimed.tries)
          yield* queue.saveProgress(claimed, point(step))
          yield* kill(claimed)
        }
        assert.deepStrictEqual(tries, [1, 2, 2, 2, 3])
      })
    )

    it.effect("a job that is given back is due as before, and this try does not count", () =>
      Effect.gen(function* () {
        const { queue, project } = yield* fresh
        yield* enqueue(project, free)
        const given = yield* claim()
        yield* queue.release(given)
        const next = yield* claim()
        assert.deepStrictEqual([next.id, next.tries], [given.id, 1])
        assert.isFalse(yield* queue.complete(given, result(1), start))
      })
    )

    it.effect("records go some time after the end of their job", () =>
      Effect.gen(function* () {
        const { queue, project, sql } = yield* fresh
        const ended = yield* enqueue(project, free)
        yield* queue.complete(yield* claim(), result(1), later("1 day"))
        const waiting = yield* enqueue(project, free)
        yield* queue.sweep(later("23 hours"))
        assert.deepInclude(yield* record(project, ended), { state: "completed" })
        yield* queue.sweep(later("1 day"))
        assert.deepStrictEqual(yield* sql`select id from jobs`, [{ id: waiting }])
      })
    )
  })
}
