/**
 * Limits the requests of a project in any 60 seconds, and its messages by SMTP, over all processes.
 *
 * A process reserves slots of the current second in blocks: as many as it needed in the second before, at most twenty.
 * It gives unused slots back with the next reservation. So a single process never refuses early, and each further
 * process makes the limit at most one block lower. When storage cannot be reached, requests pass.
 *
 * Anyone may have the public key of a project. It may use four fifths of the window, so that it cannot use up the slots
 * of the other keys.
 */
import type { AccountId, ProjectId } from "@posthorn/contract/platform/Auth"
import { RateLimitExceeded } from "@posthorn/contract/platform/Errors"
import { Clock, Context, Duration, Effect, Layer, Option, Semaphore } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../Settings.ts"
import { type Ceilings, RateWindows, type Reservation, type WindowOf } from "./RateWindows.ts"

/** The default is the secret key, which also stands for API keys and sessions. */
export type Key = "public" | "secret"

/** A service: the checks of every endpoint call it, and a process has one cache of reserved slots. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Takes one slot for a request with this kind of key, and adds the remaining slots to the response headers. */
    readonly take: (
      project: ProjectId,
      key?: Key
    ) => Effect.Effect<void, RateLimitExceeded, HttpServerRequest.HttpServerRequest>
    /** Takes a slot of an API key with a limit of its own. Only a refusal adds headers. */
    readonly takeOfKey: (
      key: string,
      limit: number
    ) => Effect.Effect<void, RateLimitExceeded, HttpServerRequest.HttpServerRequest>
    /**
     * Takes a slot for a message by SMTP: of the API key, if it has a limit of its own, and of the project. Messages
     * have a window beside that of requests. An API key has one for both. None if there is a slot; otherwise the
     * seconds until there is one.
     */
    readonly takeMessage: (
      project: ProjectId,
      apiKey?: { readonly id: string; readonly rateLimitPerMinute: number | null }
    ) => Effect.Effect<Option.Option<number>>
    /** The same for the user of a session, on endpoints that take a session and no project. */
    readonly takeOfUser: (
      user: AccountId
    ) => Effect.Effect<void, RateLimitExceeded, HttpServerRequest.HttpServerRequest>
    /** The same for a user of the host, for each request. */
    readonly takeOfHostUser: (
      user: string
    ) => Effect.Effect<void, RateLimitExceeded, HttpServerRequest.HttpServerRequest>
  }
>()("@posthorn/core/platform/http/RateLimiter") {}

/** Requests of a user in any 60 seconds. The limit of projects is a setting. */
const userLimit = 300
/** The part of a project's window that the public key may use. */
const publicShare = 0.8
/** Most slots of one reservation. */
const maxBlock = 20
/** While storage cannot be reached, every request passes, and one in this time is logged. */
const logPause = Duration.seconds(10)
/** Most holders in memory. Beyond it, all are removed. */
const maxHolders = 10_000

/** Slots of one second that this process has reserved. */
interface Block extends Reservation {
  readonly second: number
  left: number
  size: number
  /** Slots used in this second, over all of its blocks. */
  taken: number
}

const announce = (limit: number, remaining: number, reset: number, retryAfter?: number) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        "ratelimit-limit": String(limit),
        "ratelimit-remaining": String(remaining),
        "ratelimit-reset": String(reset),
        ...(retryAfter !== undefined && { "retry-after": String(retryAfter) })
      })
    )
  )

interface Holder {
  readonly turn: Semaphore.Semaphore
  readonly blocks: { [K in Key]: Block | undefined }
}

/** The limit of a kind of key, where all keys together have `limit`. */
const limitFor = (key: Key, limit: number): number =>
  key === "public" ? Math.max(1, Math.floor(limit * publicShare)) : limit

const ceilingsFor = (key: Key, limit: number): Ceilings => ({
  all: limit,
  ofPublicKey: key === "public" ? limitFor(key, limit) : undefined
})

/** A slot that was taken, or the time until one is free. */
interface Slot {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the window has a free slot. */
  readonly reset: number
  /** Seconds until a slot can be taken. 0: it was taken now. */
  readonly wait: number
}

/** A limiter of what happens in 60 seconds. `holder` is the id of a project, a user or an API key. */
const make = Effect.fnUntraced(function* (of: WindowOf = "requests") {
  const windows = yield* RateWindows
  const holders = new Map<string, Holder>()

  const stateOf = (holder: string): Holder => {
    const known = holders.get(holder)
    if (known !== undefined) return known
    if (holders.size >= maxHolders) holders.clear()
    const state = { turn: Semaphore.makeUnsafe(1), blocks: { public: undefined, secret: undefined } }
    holders.set(holder, state)
    return state
  }

  /** Gives back the unused slots that the other kind of key has reserved. */
  const giveBack = Effect.fnUntraced(function* (holder: string, key: Key, limit: number, block: Block) {
    const slots = block.left
    block.left = 0
    yield* windows.reserve(of, holder, block.second, 0, ceilingsFor(key, limit), { second: block.second, slots })
  })

  const reserve = Effect.fnUntraced(function* (
    holder: string,
    key: Key,
    limit: number,
    blocks: Holder["blocks"],
    second: number
  ) {
    const ceilings = ceilingsFor(key, limit)
    const before = blocks[key]
    const sameSecond = before?.second === second
    const expected = sameSecond ? before.size * 2 : before?.second === second - 1 ? before.taken : 1
    const size = Math.max(1, Math.min(expected, maxBlock))
    const back = before === undefined ? { second: 0, slots: 0 } : { second: before.second, slots: before.left }
    const first = yield* windows.reserve(of, holder, second, size, ceilings, back)
    const otherKey = key === "public" ? "secret" : "public"
    const other = blocks[otherKey]
    const isHeld = first.granted === 0 && other !== undefined && other.left > 0
    if (isHeld) yield* giveBack(holder, otherKey, limit, other)
    const reserved = isHeld
      ? yield* windows.reserve(of, holder, second, size, ceilings, { second: 0, slots: 0 })
      : first
    return { ...reserved, second, left: reserved.granted, size, taken: sameSecond ? before.taken : 0 } satisfies Block
  })

  let logged = Number.NEGATIVE_INFINITY

  const logUnreachable = (defect: unknown) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - logged < Duration.toMillis(logPause)) return Effect.void
      logged = now
      return Effect.logWarning("Rate limit not checked: its storage cannot be reached", defect)
    })

  /** A block with a free slot, or one without when the window is full. Undefined when storage cannot be reached. */
  const blockFor = (holder: string, key: Key, limit: number, second: number) => {
    const { blocks, turn } = stateOf(holder)
    const held = blocks[key]
    if (held?.second === second && held.left > 0) return Effect.succeed(held)
    return turn
      .withPermit(
        Effect.suspend(() => {
          const block = blocks[key]
          if (block?.second === second && block.left > 0) return Effect.succeed(block)
          return Effect.map(reserve(holder, key, limit, blocks, second), (reserved) => (blocks[key] = reserved))
        })
      )
      .pipe(Effect.catchDefect((defect) => Effect.as(logUnreachable(defect), undefined)))
  }

  /** Undefined if there is no limit, or storage cannot be reached. */
  const slotOf = Effect.fnUntraced(function* (holder: string, all: number, key: Key = "secret") {
    if (all === 0) return undefined
    const limit = limitFor(key, all)
    const second = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const block = yield* blockFor(holder, key, all, second)
    if (block === undefined) return undefined
    const untilFree = Math.max(1, block.nextFree - second)
    if (block.left === 0) return { limit, remaining: 0, reset: untilFree, wait: untilFree } satisfies Slot
    block.left--
    block.taken++
    const remaining = limit - block.used + block.left
    return { limit, remaining, reset: remaining > 0 ? 0 : untilFree, wait: 0 } satisfies Slot
  })

  const take = Effect.fnUntraced(function* (
    holder: string,
    all: number,
    key?: Key,
    scope?: RateLimitExceeded["scope"]
  ) {
    const slot = yield* slotOf(holder, all, key)
    if (slot === undefined) return
    const { limit, remaining, reset, wait } = slot
    if (wait > 0) {
      yield* announce(limit, remaining, reset, wait)
      return yield* new RateLimitExceeded({ limit, retryAfter: wait, ...(scope && { scope }) })
    }
    if (scope === undefined) yield* announce(limit, remaining, reset)
  })

  /** The seconds until there is a slot. None if one was taken. */
  const wait = (holder: string, all: number) =>
    Effect.map(slotOf(holder, all), (slot) =>
      slot === undefined || slot.wait === 0 ? Option.none<number>() : Option.some(slot.wait)
    )

  return { take, wait }
})

export const layer: Layer.Layer<RateLimiter, never, RateWindows> = Layer.effect(
  RateLimiter,
  Effect.gen(function* () {
    const { rateLimitPerMinute, submissionRatePerMinute } = yield* Settings
    const projects = yield* make()
    const users = yield* make()
    const keys = yield* make()
    const messages = yield* make("messages")
    const hostUsers = yield* make("host users")
    return RateLimiter.of({
      take: (project, key) => projects.take(project, rateLimitPerMinute, key),
      takeOfKey: (key, limit) => keys.take(key, limit, "secret", "key"),
      takeMessage: Effect.fnUntraced(function* (project, apiKey) {
        const ofKey = apiKey === undefined ? Option.none() : yield* keys.wait(apiKey.id, apiKey.rateLimitPerMinute ?? 0)
        return Option.isSome(ofKey) ? ofKey : yield* messages.wait(project, submissionRatePerMinute)
      }),
      // Without a limit for projects there is none for users.
      takeOfUser: (user) => users.take(user, rateLimitPerMinute === 0 ? 0 : userLimit),
      takeOfHostUser: (user) => hostUsers.take(user, rateLimitPerMinute === 0 ? 0 : userLimit)
    })
  })
)
