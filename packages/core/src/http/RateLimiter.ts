/**
 * At most so many requests of a project in any 60 seconds, over all processes (contract 3).
 *
 * A process reserves slots of the current second in blocks: as many as it needed in the second before, twenty at most.
 * What is left when the second ends is given back with the next reservation, so one process alone never refuses early,
 * and each further one at most a block too early. Storage that cannot be reached lets the request pass.
 */
import type { AccountId, ProjectId } from "@posthorn/contract/Auth"
import { RateLimitExceeded } from "@posthorn/contract/Errors"
import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../Settings.ts"
import { RateWindows, type Reservation } from "./RateWindows.ts"

export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Takes one slot, and has the response tell what is left. */
    readonly take: (project: ProjectId) => Effect.Effect<void, RateLimitExceeded, HttpServerRequest.HttpServerRequest>
  }
>()("@posthorn/core/http/RateLimiter") {}

/** The same for the user of a session, on the endpoints that take a session and no project (contract-2 9.2). */
export class UserRateLimiter extends Context.Service<
  UserRateLimiter,
  {
    readonly take: (user: AccountId) => Effect.Effect<void, RateLimitExceeded, HttpServerRequest.HttpServerRequest>
  }
>()("@posthorn/core/http/RateLimiter/UserRateLimiter") {}

/** Requests of a user in any 60 seconds; a project's are a setting. */
const userLimit = 300
/** Slots that one reservation takes at most. */
const maxBlock = 20
/** Holders that a process keeps in mind; beyond it the memory starts anew. */
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

/** A limiter of so many requests in 60 seconds, for whoever has an id: `holder` is a project or a user. */
const make = (limit: number) =>
  Effect.gen(function* () {
    const windows = yield* RateWindows
    const holders = new Map<string, { readonly turn: Semaphore.Semaphore; block: Block | undefined }>()

    const stateOf = (holder: string) => {
      const known = holders.get(holder)
      if (known !== undefined) return known
      if (holders.size >= maxHolders) holders.clear()
      const state = { turn: Semaphore.makeUnsafe(1), block: undefined }
      holders.set(holder, state)
      return state
    }

    const reserve = Effect.fnUntraced(function* (holder: string, before: Block | undefined, second: number) {
      const sameSecond = before?.second === second
      const expected = sameSecond ? before.size * 2 : before?.second === second - 1 ? before.taken : 1
      const size = Math.max(1, Math.min(expected, maxBlock))
      const back = before === undefined ? { second: 0, slots: 0 } : { second: before.second, slots: before.left }
      const reserved = yield* windows.reserve(holder, second, size, limit, back)
      return { ...reserved, second, left: reserved.granted, size, taken: sameSecond ? before.taken : 0 } satisfies Block
    })

    /** A block with a slot to take, or one without when the window is full; undefined when storage is out of reach. */
    const blockFor = (holder: string, second: number) => {
      const state = stateOf(holder)
      if (state.block?.second === second && state.block.left > 0) return Effect.succeed(state.block)
      return state.turn
        .withPermit(
          Effect.suspend(() => {
            const { block } = state
            if (block?.second === second && block.left > 0) return Effect.succeed(block)
            return Effect.map(reserve(holder, block, second), (reserved) => (state.block = reserved))
          })
        )
        .pipe(
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logWarning("Rate limit not checked: its storage is out of reach", defect), undefined)
          )
        )
    }

    const take = Effect.fnUntraced(function* (holder: string) {
      if (limit === 0) return
      const second = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const block = yield* blockFor(holder, second)
      if (block === undefined) return
      if (block.left > 0) {
        block.left--
        block.taken++
        const remaining = limit - block.used + block.left
        return yield* announce(limit, remaining, remaining > 0 ? 0 : Math.max(1, block.nextFree - second))
      }
      const retryAfter = Math.max(1, block.nextFree - second)
      yield* announce(limit, 0, retryAfter, retryAfter)
      return yield* new RateLimitExceeded({ limit, retryAfter })
    })

    return { take }
  })

const ofProjects = Layer.effect(
  RateLimiter,
  Effect.flatMap(Settings, ({ rateLimitPerMinute }) => make(rateLimitPerMinute))
)

/** A server without a limit for projects has none for users. */
const ofUsers = Layer.effect(
  UserRateLimiter,
  Effect.flatMap(Settings, ({ rateLimitPerMinute }) => make(rateLimitPerMinute === 0 ? 0 : userLimit))
)

export const layer: Layer.Layer<RateLimiter | UserRateLimiter, never, RateWindows> = Layer.merge(ofProjects, ofUsers)
