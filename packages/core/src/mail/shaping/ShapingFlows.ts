/** The mail of this worker to each mailbox provider by each transport: what is under way, and what left in the last minute. */
import { Semaphore } from "effect"

/** Mail of this worker to one provider by one transport. */
export interface Flow {
  inUse: number
  /** Bulk mails that are claimed and not settled. */
  bulk: number
  tokens: number
  tokensAt: number
  /** Mails sent in each piece of the last minute. */
  readonly sent: Array<number>
  sentAt: number
  readonly turns: Semaphore.Semaphore
  /** The first signal in a minute is enough. */
  quietUntil: number
}

/** Flows that a worker remembers. Beyond it those without mail under way are forgotten. */
const maxFlows = 20_000
/** Flows that a worker stores. */
const maxPublished = 100

const bucketMillis = 5_000
const buckets = 12

/** Connections that are more than any transport has. */
export const unlimited = 1_000_000

/** The pieces of the minute before `now`. */
const turnBuckets = (flow: Flow, now: number) => {
  const at = Math.floor(now / bucketMillis)
  const passed = Math.min(buckets, Math.max(0, at - flow.sentAt))
  for (let n = 0; n < passed; n++) {
    flow.sent.unshift(0)
    if (flow.sent.length > buckets) flow.sent.pop()
  }
  if (at > flow.sentAt) flow.sentAt = at
}

/** Counts a mail that was accepted. */
export const sentNow = (flow: Flow, now: number): void => {
  turnBuckets(flow, now)
  flow.sent[0] = (flow.sent[0] ?? 0) + 1
}

export const sentLastMinute = (flow: Flow, now: number): number => {
  turnBuckets(flow, now)
  return flow.sent.reduce((sum, count) => sum + count, 0)
}

export const make = () => {
  const flows = new Map<string, Flow>()
  return {
    /** The flow of this name, which is that of its limit. */
    of: (name: string): Flow => {
      const known = flows.get(name)
      if (known !== undefined) return known
      if (flows.size >= maxFlows) {
        for (const [other, { bulk, inUse }] of flows) if (inUse === 0 && bulk === 0) flows.delete(other)
      }
      const flow: Flow = {
        inUse: 0,
        bulk: 0,
        tokens: 0,
        tokensAt: Number.NaN,
        sent: [],
        sentAt: 0,
        turns: Semaphore.makeUnsafe(unlimited),
        quietUntil: 0
      }
      flows.set(name, flow)
      return flow
    },
    /** By name: what left in the last minute and the connections in use, of the largest flows. */
    traffic: (now: number) =>
      [...flows]
        .map(([name, flow]) => [name, [sentLastMinute(flow, now), flow.inUse]] as const)
        .filter(([, [sent = 0, inUse = 0]]) => sent + inUse > 0)
        .toSorted(([, [one = 0]], [, [other = 0]]) => other - one)
        .slice(0, maxPublished)
  }
}
