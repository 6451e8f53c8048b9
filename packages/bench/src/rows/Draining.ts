/** Mail that was accepted and waits, to be drained at one moment by whatever workers there are. */
import { ProjectId } from "@posthorn/contract/Auth"
import { TemplateId } from "@posthorn/contract/templates/Template"
import { ProjectStore } from "@posthorn/core/projects/ProjectStore"
import { Sending } from "@posthorn/core/sending/Sending"
import { Array, DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import type * as Sink from "../processes/Sink.ts"
import type * as Seed from "../Seed.ts"

/** Mails of one request, each with a text of its own. */
const batch = 500

let accepted = 0

/** From the first 250 to the last one. */
export const rateOf = (arrivals: ReadonlyArray<Sink.Arrival>) => {
  const times = arrivals.map(({ at }) => at)
  return ((arrivals.length - 1) * 1000) / (Math.max(...times) - Math.min(...times))
}

export const requireOnce = (arrivals: ReadonlyArray<Sink.Arrival>) =>
  new Set(arrivals.map(({ messageId }) => messageId)).size === arrivals.length
    ? Effect.void
    : Effect.fail(new BenchFailure({ message: "a mail arrived twice" }))

/** Mails of disabled projects wait, so that they can be accepted in peace, and all be due at one moment. */
export const setDisabled = Effect.fnUntraced(function* (senders: ReadonlyArray<Seed.Sender>, isDisabled: boolean) {
  const store = yield* ProjectStore
  const now = yield* DateTime.now
  for (const { id } of senders) yield* store.disable(ProjectId.make(id), isDisabled ? "MANUAL" : null, now)
})

export const accept = Effect.fnUntraced(function* (senders: ReadonlyArray<Seed.Sender>, mails: number) {
  const sending = yield* Sending
  for (const [turn, of] of Array.chunksOf(Array.range(1, mails), batch).entries()) {
    const sender = senders[turn % senders.length]
    if (sender === undefined) return
    const to = of.map(() => {
      const name = `Ada ${++accepted}`
      return { email: `reader-${accepted}@example.com`, name }
    })
    const template = TemplateId.make(sender.template)
    yield* Effect.orDie(sending.send(ProjectId.make(sender.id), { to, template, data: { plan: "pro" } }))
  }
})

/** Until nothing is under way: the last result is on record a moment after its mail. */
export const settled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const left = Effect.orDie(sql`select 1 from emails where status in ('PENDING', 'SENDING') limit 1`)
  while ((yield* left).length > 0) yield* Effect.sleep("20 millis")
  const states = yield* Effect.orDie(sql`select status from emails where status <> 'SENT' limit 1`)
  if (states.length > 0) return yield* new BenchFailure({ message: `a mail ended as ${states[0]?.["status"]}` })
})
