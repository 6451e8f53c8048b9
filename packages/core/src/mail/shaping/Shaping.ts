/**
 * What a worker knows of the limits of mailbox providers, and its part in them.
 *
 * A limit holds for all workers together. Each takes an equal part of it, so that no mail costs a write. The states are
 * read again after two seconds, while there are any, and when another worker has changed one.
 */
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { elapsedMillis } from "../../platform/Elapsed.ts"
import { Mailer } from "../../platform/Mailer.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import * as ProviderRows from "../recipients/ProviderRows.ts"
import type { MailDestination } from "../recipients/RecipientProviders.ts"
import type { AttemptResult, ClaimedEmail } from "../sending/DeliveryQueue.ts"
import type { Reply } from "../sending/Replies.ts"
import { type Flow, make as makeFlows, sentLastMinute, sentNow, unlimited } from "./ShapingFlows.ts"
import * as ShapingMetrics from "./ShapingMetrics.ts"
import { isAboutProvider, signalOf, withoutAddresses } from "./ShapingSignal.ts"
import * as ShapingSql from "./ShapingSql.ts"
import { installation, type QueueRoom, type ShapedKey, type ShapingStatus, workerPart } from "./ShapingState.ts"

/** The transport of a mail: empty for those of the installation, else the id of a project's. */
export type TransportScope = string

/** The scope of the transports of the installation. */
export const ofInstallation: TransportScope = ""

export interface Shaping {
  /** Room for mail that takes the transports of the installation. `isShaped`: whether any limit is stored. */
  readonly rooms: (isShaped: boolean) => Effect.Effect<ReadonlyArray<QueueRoom>>
  /** Room for mail that takes a transport of a project, or with an empty scope those of the installation. */
  readonly roomsAt: (transport: TransportScope) => Effect.Effect<ReadonlyArray<QueueRoom>>
  /** Counts claimed bulk mail. `free` must follow for each mail. */
  readonly take: (mail: ClaimedEmail, transport: TransportScope) => Effect.Effect<void>
  readonly free: (mail: ClaimedEmail) => void
  /**
   * The queue in which bulk mail must wait, because its provider takes no more of it now. Undefined: it may be sent. Mail
   * that was claimed from the queue of its provider has its place already.
   */
  readonly waitsIn: (
    mail: ClaimedEmail,
    destination: MailDestination,
    transport: TransportScope
  ) => Effect.Effect<number | undefined>
  /** Runs the effect as soon as the provider takes one more connection. */
  readonly inTurn: <A, E, R>(
    destination: MailDestination,
    transport: TransportScope,
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Runs a hand-over, and counts its connection. */
  readonly counted: <A, E, R>(
    destination: MailDestination,
    transport: TransportScope,
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Looks at the result of a try. Never fails. */
  readonly replied: (mail: ClaimedEmail, destination: MailDestination, attempt: AttemptResult) => Effect.Effect<void>
  /** Reads the limits again, because they have changed. */
  readonly learn: Effect.Effect<void>
  /** Whether a reply is not about the transport that passed it on. */
  readonly isAboutProvider: (mail: ClaimedEmail, reply: Reply) => boolean
  /** Stores what this worker sent in the last minute, for the signals of others. */
  readonly publish: Effect.Effect<void>
}

const readEvery = 2_000
/** How often a worker stores what it sent. */
export const publishEvery = Duration.seconds(10)

/** The limit of one provider by one transport, for all workers. */
interface Limit {
  readonly queue: number
  readonly ratePerMinute: number | null
  readonly maxConnections: number | null
  readonly status: ShapingStatus | "NORMAL"
  /** The rows that it is made of. */
  readonly rows: ReadonlyArray<ShapingSql.ShapedRow>
}

const least = (one: number | null, other: number | null) =>
  one === null ? other : other === null ? one : Math.min(one, other)

const tighter = (one: Limit, other: Limit): Limit => ({
  queue: one.queue,
  ratePerMinute: least(one.ratePerMinute, other.ratePerMinute),
  maxConnections: least(one.maxConnections, other.maxConnections),
  status: other.status === "NORMAL" ? one.status : other.status,
  rows: [...one.rows, ...other.rows]
})

export const make = Effect.fnUntraced(function* (worker: string) {
  const sql = yield* SqlClient.SqlClient
  const { isExchange = false } = yield* Mailer
  const { limits: wakeup } = yield* Wakeups
  const list = yield* ProviderRows.make

  const flows = makeFlows()
  const flowOf = flows.of
  const show = ShapingMetrics.make()
  const taken = new Map<EmailId, { readonly claim: number; readonly flow: Flow; readonly queue: number }>()
  /** By scope and key. */
  let limits: ReadonlyMap<string, Limit> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  let workers = 1
  let index = 0

  const nameOf = (key: string, transport: TransportScope) => (transport === "" ? key : `${key} ${transport}`)

  const rateOf = ({ ratePerMinute }: Limit) =>
    ratePerMinute === null ? null : workerPart(ratePerMinute, workers, index)

  const connectionsOf = ({ maxConnections }: Limit) =>
    maxConnections === null ? null : workerPart(maxConnections, workers, index)

  const refill = (flow: Flow, limit: Limit, now: number) => {
    const rate = rateOf(limit)
    if (rate === null) return
    const most = Math.max(1, rate / 60)
    if (Number.isNaN(flow.tokensAt)) flow.tokens = 0
    else flow.tokens = Math.min(most, flow.tokens + (Math.max(0, now - flow.tokensAt) * rate) / 60_000)
    flow.tokensAt = now
  }

  /** Bulk leaves one connection free for transactional mail, where there is more than one. */
  const roomIn = (flow: Flow, limit: Limit, now: number): number => {
    refill(flow, limit, now)
    const connections = connectionsOf(limit)
    const places = connections === null ? unlimited : connections < 2 ? connections : connections - 1
    const byRate = rateOf(limit) === null ? unlimited : Math.floor(flow.tokens)
    return Math.max(0, Math.min(byRate, places - flow.bulk))
  }

  const read = Effect.gen(function* () {
    const rows = yield* ShapingSql.readAll(sql)
    const living = yield* ShapingSql.livingWorkers(sql)
    const ids = living.includes(worker) ? living : [...living, worker].toSorted()
    workers = ids.length
    index = ids.indexOf(worker)
    const next = new Map<string, Limit>()
    const add = (name: string, limit: Limit) => {
      const before = next.get(name)
      next.set(name, before === undefined ? limit : tighter(before, limit))
    }
    for (const { maxConnections, provider, queue, ratePerMinute } of (yield* list).rows) {
      if (maxConnections === null && ratePerMinute === null) continue
      add(provider, { queue, maxConnections, ratePerMinute, status: "NORMAL", rows: [] })
    }
    for (const row of rows) {
      const { key, maxConnections, project, queue, ratePerMinute, status, transport } = row
      const scope = project === installation ? ofInstallation : transport
      add(nameOf(key, scope), { queue, maxConnections, ratePerMinute, status, rows: [row] })
    }
    for (const name of limits.keys()) if (!next.has(name)) yield* flowOf(name).turns.resize(unlimited)
    for (const [name, limit] of next) {
      const connections = connectionsOf(limit)
      // A worker without a part keeps one connection for transactional mail.
      yield* flowOf(name).turns.resize(connections === null ? unlimited : Math.max(1, connections))
    }
    limits = next
    yield* show(rows)
  }).pipe(Effect.catchCause((cause) => Effect.logWarning("The limits of mailbox providers could not be read", cause)))

  const learn = Effect.gen(function* () {
    readAt = yield* elapsedMillis
    yield* read
  })

  const refresh = Effect.fnUntraced(function* (isShaped: boolean) {
    const now = yield* elapsedMillis
    if (!isShaped && limits.size === 0) return
    if (now < readAt + readEvery) return
    yield* learn
  })

  const isAt = (name: string, transport: TransportScope) =>
    transport === ofInstallation ? !name.includes(" ") : name.endsWith(` ${transport}`)

  const nameOfQueue = (queue: number, transport: TransportScope) => {
    for (const [name, limit] of limits) if (limit.queue === queue && isAt(name, transport)) return name
  }

  const spend = (flow: Flow, limit: Limit, now: number) => {
    refill(flow, limit, now)
    if (limit.ratePerMinute !== null) flow.tokens -= 1
  }

  const take = Effect.fnUntraced(function* (mail: ClaimedEmail, transport: TransportScope) {
    if (limits.size === 0 || mail.urgency !== "bulk" || mail.mode === "TEST") return
    const name = nameOfQueue(mail.queue, transport)
    const limit = name === undefined ? undefined : limits.get(name)
    if (name === undefined || limit === undefined) return
    const flow = flowOf(name)
    spend(flow, limit, yield* Clock.currentTimeMillis)
    flow.bulk++
    taken.set(mail.id, { claim: mail.claim, flow, queue: mail.queue })
  })

  const waitsIn = Effect.fnUntraced(function* (
    mail: ClaimedEmail,
    { key }: MailDestination,
    transport: TransportScope
  ) {
    if (limits.size === 0 || mail.urgency !== "bulk" || mail.mode === "TEST") return undefined
    const name = nameOf(key, transport)
    const limit = limits.get(name)
    if (limit === undefined) return undefined
    const flow = flowOf(name)
    const place = taken.get(mail.id)
    if (place?.claim === mail.claim && place.flow === flow) return undefined
    const now = yield* Clock.currentTimeMillis
    if (roomIn(flow, limit, now) < 1) return limit.queue
    spend(flow, limit, now)
    if (place === undefined) {
      flow.bulk++
      taken.set(mail.id, { claim: mail.claim, flow, queue: limit.queue })
    }
    return undefined
  })

  const raise = Effect.fnUntraced(function* (
    name: string,
    of: ShapedKey,
    refused: string,
    signal: NonNullable<ReturnType<typeof signalOf>>,
    attempt: AttemptResult
  ) {
    const now = yield* Clock.currentTimeMillis
    const flow = flowOf(name)
    yield* ShapingMetrics.deferred(of)
    const status = limits.get(name)?.status
    const isNew = status === "PROBING" || (signal.kind === "suspend" && status !== "SUSPENDED")
    if (!isNew && now < flow.quietUntil) return
    flow.quietUntil = now + 60_000
    const row = (yield* list).row(of.key)
    const changed = yield* ShapingSql.raise(
      sql,
      {
        of,
        signal,
        queue: row?.queue,
        reason: {
          code: attempt.code,
          enhancedCode: attempt.enhancedCode,
          reply: withoutAddresses(attempt.reply ?? ""),
          at: new Date(now).toISOString()
        },
        refused,
        worker,
        traffic: { sentLastMinute: sentLastMinute(flow, now), inUse: flow.inUse },
        maxConnections: row?.maxConnections ?? null
      },
      now
    )
    if (changed !== undefined) {
      const { level, status } = changed
      yield* Effect.logInfo("A mailbox provider asks for less mail").pipe(
        Effect.annotateLogs({ provider: of.key, transport: of.transport, status, level })
      )
      yield* wakeup.wakeAll
    }
    yield* learn
  })

  const replied = Effect.fnUntraced(
    function* (mail: ClaimedEmail, { key, provider }: MailDestination, attempt: AttemptResult) {
      if (mail.mode === "TEST") return
      const scope = attempt.transportId ?? ofInstallation
      const name = nameOf(key, scope)
      const of: ShapedKey = {
        key,
        transport: attempt.transportId ?? attempt.transport ?? "smtp1",
        project: attempt.transportId === null ? installation : mail.projectId
      }
      const limit = limits.get(name)
      if (attempt.outcome === "accepted") {
        const now = yield* Clock.currentTimeMillis
        const flow = flowOf(name)
        sentNow(flow, now)
        if (limit !== undefined && mail.urgency === "transactional") spend(flow, limit, now)
        for (const row of limit?.rows ?? []) if (row.status === "PROBING") yield* ShapingSql.accepted(sql, row, now)
        return
      }
      const reply = {
        code: attempt.code ?? undefined,
        enhancedCode: attempt.enhancedCode ?? undefined,
        reply: attempt.reply ?? ""
      }
      if (attempt.code === null) return
      const signal = signalOf(provider, reply, isExchange && attempt.transportId === null)
      if (signal !== undefined) yield* raise(name, of, mail.projectId, signal, attempt)
    },
    Effect.catchCause((cause) => Effect.logWarning("The reply of a mailbox provider could not be looked at", cause))
  )

  const counted: Shaping["counted"] = ({ key }, transport, effect) =>
    Effect.suspend(() => {
      const flow = flowOf(nameOf(key, transport))
      flow.inUse++
      return Effect.ensuring(
        effect,
        Effect.sync(() => void flow.inUse--)
      )
    })

  const roomsAt = Effect.fnUntraced(function* (transport: TransportScope) {
    if (limits.size === 0) return []
    const now = yield* Clock.currentTimeMillis
    return [...limits].flatMap(([name, limit]) =>
      isAt(name, transport) ? [{ queue: limit.queue, room: roomIn(flowOf(name), limit, now) }] : []
    )
  })

  let hasPublished = false
  const publish = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const traffic = flows.traffic(now)
    if (traffic.length === 0 && !hasPublished) return
    hasPublished = traffic.length > 0
    yield* sql`
      update workers set traffic = ${JSON.stringify(Object.fromEntries(traffic))}::text::jsonb
      where id = ${worker}::uuid`
  }).pipe(Effect.orDie)

  return {
    rooms: (isShaped) => Effect.andThen(refresh(isShaped), roomsAt(ofInstallation)),
    roomsAt,
    take,
    free: (mail) => {
      const place = taken.get(mail.id)
      if (place?.claim !== mail.claim) return
      place.flow.bulk--
      taken.delete(mail.id)
    },
    waitsIn,
    inTurn: ({ key }, transport, effect) =>
      Effect.suspend(() => {
        const name = nameOf(key, transport)
        return limits.get(name)?.maxConnections == null ? effect : flowOf(name).turns.withPermits(1)(effect)
      }),
    counted,
    replied,
    learn,
    isAboutProvider: (mail, reply) => isAboutProvider(mail.provider, reply, isExchange),
    publish
  } satisfies Shaping
})
