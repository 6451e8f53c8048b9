/** Accepted emails that wait, and are then sent at once: by a worker, or by nodemailer for comparison. */

import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { ProjectStore } from "@posthorn/core/accounts/projects/ProjectStore"
import { Sending } from "@posthorn/core/mail/sending/Sending"
import { Array, DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as NodemailerPool from "../baselines/NodemailerPool.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import type { Child } from "../processes/Child.ts"
import type * as Sink from "../processes/Sink.ts"
import type { Run } from "../Row.ts"
import type * as Seed from "../Seed.ts"

/** Emails of one request, each with its own text. */
const batch = 500

/** How long the slowest run of all may take. */
export const patienceSeconds = 600

let accepted = 0

/** From the first to the last 250. */
export const rateOf = (arrivals: ReadonlyArray<Sink.Arrival>) => {
  const times = arrivals.map(({ at }) => at)
  return ((arrivals.length - 1) * 1000) / (Math.max(...times) - Math.min(...times))
}

export const requireOnce = (arrivals: ReadonlyArray<Sink.Arrival>) =>
  new Set(arrivals.map(({ messageId }) => messageId)).size === arrivals.length
    ? Effect.void
    : Effect.fail(new BenchFailure({ message: "a mail arrived twice" }))

/** Emails of disabled projects wait, so that they can all be accepted first and then become due at one moment. */
export const setDisabled = Effect.fnUntraced(function* (senders: ReadonlyArray<Seed.Sender>, isDisabled: boolean) {
  const store = yield* ProjectStore
  const now = yield* DateTime.now
  for (const { id } of senders) yield* store.disable(ProjectId.make(id), isDisabled ? "MANUAL" : null, now)
})

export const accept = Effect.fnUntraced(function* (
  senders: ReadonlyArray<Seed.Sender>,
  mails: number,
  scheduledFor?: DateTime.Utc
) {
  const sending = yield* Sending
  for (const [turn, of] of Array.chunksOf(Array.range(1, mails), batch).entries()) {
    const sender = senders[turn % senders.length]
    if (sender === undefined) return
    const to = of.map(() => {
      const name = `Ada ${++accepted}`
      return { email: `reader-${accepted}@example.com`, name }
    })
    const template = TemplateId.make(sender.template)
    const mail = { to, template, data: { plan: "pro" } }
    const time = scheduledFor && { scheduledFor: DateTime.formatIso(scheduledFor) }
    yield* Effect.orDie(sending.send(ProjectId.make(sender.id), { ...mail, ...time }))
  }
})

/** Waits until nothing is in progress: the last result is recorded a moment after its email. */
export const settled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const left = Effect.orDie(sql`select 1 from emails where status in ('PENDING', 'SENDING') limit 1`)
  while ((yield* left).length > 0) yield* Effect.sleep("20 millis")
  const states = yield* Effect.orDie(sql`select status from emails where status <> 'SENT' limit 1`)
  if (states.length > 0) return yield* new BenchFailure({ message: `a mail ended as ${states[0]?.["status"]}` })
})

/** Emails that wait, and what makes all of them due at one moment. */
export interface Waiting<R> {
  readonly prepare: (mails: number) => Effect.Effect<unknown, never, R>
  readonly release: Effect.Effect<unknown, never, R>
}

/** Accepted for now while their projects are disabled. */
export const ofDisabled = (senders: ReadonlyArray<Seed.Sender>): Waiting<ProjectStore | Sending> => ({
  prepare: (mails) => Effect.andThen(setDisabled(senders, true), accept(senders, mails)),
  release: setDisabled(senders, false)
})

/** The rate of a worker, from the first to the last 250. It ends when all results are on record. */
export const drained = <R>(
  worker: { readonly pid: number },
  sink: Sink.Sink,
  { prepare, release }: Waiting<R>,
  mails: number
) =>
  Effect.gen(function* () {
    yield* prepare(mails)
    const before = yield* sink.count
    const { result, cpuMillis } = yield* withCpuOf(
      worker.pid,
      Effect.gen(function* () {
        yield* release
        const arrivals = yield* sink.arrivals(before, mails, patienceSeconds)
        yield* settled
        return arrivals
      })
    )
    yield* requireOnce(result)
    return {
      value: rateOf(result),
      cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / mails,
      ...(yield* memoryOf(worker.pid))
    }
  })

/** The rate of nodemailer's pool. */
export const handedOver =
  (pool: Child, sink: Sink.Sink, key: "PEM" | "KeyObject"): Run =>
  ({ mails }) =>
    Effect.gen(function* () {
      const before = yield* sink.count
      const asked = pool.ask({ port: sink.port, key, mails }, NodemailerPool.Answer)
      const { cpuMillis } = yield* withCpuOf(pool.pid, asked)
      const arrivals = yield* sink.arrivals(before, mails, patienceSeconds)
      return {
        value: rateOf(arrivals),
        cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / mails,
        ...(yield* memoryOf(pool.pid))
      }
    })
