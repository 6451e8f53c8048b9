/** Accepted emails that wait, and are then sent by all workers at once. */

import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { ProjectStore } from "@posthorn/core/accounts/projects/ProjectStore"
import { Sending } from "@posthorn/core/mail/sending/Sending"
import { Array, DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import type * as Sink from "../processes/Sink.ts"
import type * as Seed from "../Seed.ts"

/** Emails of one request, each with its own text. */
const batch = 500

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
