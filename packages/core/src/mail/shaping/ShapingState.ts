/**
 * How far mail to one mailbox provider by one transport is slowed down, and how that changes. Pure.
 *
 *   normal ── slow ──▶ SLOWED level 1 ── slow ──▶ level 2 ... ── time ──▶ level 1 ── time ──▶ normal
 *   any ── suspend ──▶ SUSPENDED ── time ──▶ PROBING ── 5 accepted ──▶ SLOWED level 3
 *                          ▲────── refused ───┘
 *
 * Times are milliseconds of the clock of the service.
 */
import { nilId } from "@posthorn/contract/platform/Primitives"

/** The project of states that hold for the transports of the installation. */
export const installation = nilId

/** What a state is about. */
export interface ShapedKey {
  /** A provider, or a mail exchange of none of them. */
  readonly key: string
  /** A transport of the installation, such as `smtp1`, or the id of a project's. */
  readonly transport: string
  readonly project: string
}

/** How many bulk mails of a queue may be claimed now. Queues that are not named have no limit. */
export interface QueueRoom {
  readonly queue: number
  readonly room: number
}

export type ShapingStatus = "SLOWED" | "SUSPENDED" | "PROBING"

/** The state of a provider that is in trouble. Undefined in normal times. */
export interface ShapingState {
  readonly status: ShapingStatus
  readonly level: number
  /** Connections of all workers together. Null: no limit. */
  readonly maxConnections: number | null
  /** Mails a minute of all workers together. Null: no limit. */
  readonly ratePerMinute: number | null
  /** SLOWED: when the level falls. SUSPENDED: when it ends. PROBING: when it began. */
  readonly until: number
  /** When the level last rose. */
  readonly raisedAt: number
  /** Length of the last suspension in milliseconds. 0: none, or one by an operator, which ends without probes. */
  readonly suspension: number
  /** PROBING: mails that the provider accepted in a row. */
  readonly accepted: number
  /** Mails that left in the minute before the suspension. */
  readonly before: number
}

/** What a reply of a provider asks for. */
export type ShapingSignal = { readonly kind: "slow" } | { readonly kind: "suspend"; readonly minutes: number }

/** How mail left at the time of a signal, by all workers together. */
export interface Traffic {
  /** Mails that left in the last minute. */
  readonly sentLastMinute: number
  /** Connections in use, or the limit if there is one. */
  readonly connections: number
}

const minute = 60_000
const step = 10 * minute
const longestStep = 120 * minute
const longestSuspension = 8 * 60 * minute
/** Replies within this time count as one: mails that are in transmission together fail together. */
const apart = minute
/** Beyond it a provider would stay slowed for days after its last signal. */
export const highestLevel = 10
/** The level at which a provider is after a suspension. */
const levelAfter = 3
/** Mails that a provider must accept in a row after a suspension. */
export const probes = 5
const probesPerMinute = 1

const half = (value: number) => Math.max(1, Math.floor(value / 2))

const suspended = (length: number, before: number, now: number): ShapingState => ({
  status: "SUSPENDED",
  level: levelAfter,
  maxConnections: 1,
  ratePerMinute: 0,
  until: now + length,
  raisedAt: now,
  suspension: length,
  accepted: 0,
  before
})

/** The state after a signal. The same object if the signal changes nothing. */
export const signalled = (
  state: ShapingState | undefined,
  signal: ShapingSignal,
  { connections, sentLastMinute }: Traffic,
  now: number
): ShapingState => {
  const length = signal.kind === "suspend" ? signal.minutes * minute : 0
  if (state?.status === "PROBING") {
    return suspended(Math.min(Math.max(state.suspension * 2, length), longestSuspension), state.before, now)
  }
  if (state?.status === "SUSPENDED") {
    // Mail that was in transmission, and transactional mail.
    if (now + length <= state.until) return state
    return { ...state, until: now + length, suspension: Math.max(state.suspension, length) }
  }
  if (signal.kind === "suspend") return suspended(length, sentLastMinute, now)
  if (state !== undefined && now < state.raisedAt + apart) return state
  const level = Math.min(highestLevel, (state?.level ?? 0) + 1)
  return {
    status: "SLOWED",
    level,
    maxConnections: half(state?.maxConnections ?? connections),
    ratePerMinute: Math.min(half(sentLastMinute), state?.ratePerMinute ?? Number.POSITIVE_INFINITY),
    until: now + Math.min(longestStep, step * 2 ** (level - 1)),
    raisedAt: now,
    suspension: 0,
    accepted: 0,
    before: sentLastMinute
  }
}

const doubled = (value: number | null) => (value === null ? null : value * 2)

/** The state at `now` without a further signal. Undefined once the trouble is over. */
export const recovered = (state: ShapingState, now: number): ShapingState | undefined => {
  if (state.status === "PROBING" || now < state.until) return state
  if (state.status === "SUSPENDED") {
    if (state.suspension === 0) return undefined
    return { ...state, status: "PROBING", ratePerMinute: probesPerMinute, maxConnections: 1, accepted: 0 }
  }
  if (state.level <= 1) return undefined
  return recovered(
    {
      ...state,
      level: state.level - 1,
      maxConnections: doubled(state.maxConnections),
      ratePerMinute: doubled(state.ratePerMinute),
      until: state.until + step
    },
    now
  )
}

/** The state after the provider has accepted a mail while it was probed. */
export const probed = (state: ShapingState, now: number): ShapingState => {
  if (state.status !== "PROBING") return state
  if (state.accepted + 1 < probes) return { ...state, accepted: state.accepted + 1 }
  const eighth = Math.max(1, Math.floor(state.before / 2 ** levelAfter))
  return {
    ...state,
    status: "SLOWED",
    level: levelAfter,
    ratePerMinute: eighth,
    until: now + step * 2 ** (levelAfter - 1),
    raisedAt: now,
    suspension: 0,
    accepted: 0
  }
}

/**
 * The part of one of `workers` in a limit. The remainder goes to the first, so that the parts add up to the limit.
 *
 * `index` is the position of the worker in the order of their ids.
 */
export const workerPart = (limit: number, workers: number, index: number): number => {
  const all = Math.max(1, workers)
  return Math.floor(limit / all) + (index < limit % all ? 1 : 0)
}
