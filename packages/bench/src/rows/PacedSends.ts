/** Emails sent through the API at a steady rate, and the time until the peer received each. */
import { SentEmails } from "@posthorn/contract/mail/sending/Send"
import { Effect, Schema } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as PacedLoad from "../load/PacedLoad.ts"
import type { Sink } from "../processes/Sink.ts"
import type * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"
import { sendBody } from "./F1SendAccepted.ts"

const patienceSeconds = 60

const sentEmails = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.toEncoded(SentEmails)))

const emailIn = Effect.fnUntraced(function* (status: number, body: string) {
  if (status !== 200) return yield* new BenchFailure({ message: `POST /v1/send answered ${status}: ${body}` })
  const { data } = yield* Effect.orDie(sentEmails(body))
  return data.emails[0]?.email ?? ""
})

/** From the start of each request to just before the peer's 250, in milliseconds. */
export const untilThere = (
  begun: ReadonlyArray<{ readonly messageId: string; readonly startedAt: number }>,
  arrivals: ReadonlyArray<{ readonly messageId: string; readonly at: number }>
) => {
  const arrivedAt = new Map(arrivals.map(({ at, messageId }) => [messageId, at]))
  return latencyOf(begun.map(({ messageId, startedAt }) => (arrivedAt.get(messageId) ?? Number.NaN) - startedAt))
}

export interface Pace {
  readonly url: string
  readonly senders: readonly [Seed.Sender, ...ReadonlyArray<Seed.Sender>]
  readonly perSecond: number
  readonly seconds: number
}

/** The projects send in turn. The run waits for each email. */
export const pacedSends = Effect.fnUntraced(function* (load: PacedLoad.PacedLoad, sink: Sink, pace: Pace) {
  const { perSecond, seconds, senders, url } = pace
  const before = yield* sink.count
  const question = { url: `${url}/v1/send`, body: sendBody, projects: senders, perSecond, seconds }
  const { requests } = yield* load.ask(question, PacedLoad.Answer)
  const begun = yield* Effect.forEach(requests, ({ body, startedAt, status }, n) =>
    Effect.map(emailIn(status, body), (id) => {
      const domain = senders[n % senders.length]?.from.split("@")[1] ?? ""
      return { messageId: `${id}@${domain}`, startedAt }
    })
  )
  const arrivals = yield* sink.arrivalsOf(
    before,
    begun.map(({ messageId }) => messageId),
    patienceSeconds
  )
  return {
    count: requests.length,
    answered: latencyOf(requests.map(({ took }) => took)),
    there: untilThere(begun, arrivals)
  }
})
