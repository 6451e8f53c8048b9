/**
 * Runs a request with an idempotency key at most once.
 *
 * The effects of the request and the record of its response are one transaction. A request that certainly left no effects
 * frees its key. A request whose commit is uncertain keeps its key until the outcome is known.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Data, DateTime, Duration, Effect, Exit, Fiber, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { Settings } from "../Settings.ts"
import { Transaction } from "../Transaction.ts"
import { type FirstUse, IdempotencyKeys } from "./IdempotencyKeys.ts"

export interface Keyed {
  readonly project: ProjectId
  readonly key: string
  /** The endpoint, such as `POST /v1/send`. */
  readonly request: string
  /** Equal for equal requests. */
  readonly fingerprint: string
}

/** What is stored of a response. */
export interface KeptResponse {
  readonly status: number
  readonly body: string
}

/** The request ran, or the key has an earlier use, whose response is null while it runs. */
export type Once<A> =
  | { readonly isFirst: true; readonly value: A }
  | { readonly isFirst: false; readonly first: FirstUse }

/** Another request has taken over the key while this one was stalled. Only one of them may have effects. */
class TakenOver extends Data.TaggedError("TakenOver") {}

/** How often a running request renews its claim. The lease is 60 seconds. */
const renewal = Duration.seconds(20)
/** The wait after a renewal that failed. */
const retry = Duration.seconds(1)

export const make = Effect.gen(function* () {
  const keys = yield* IdempotencyKeys
  const transaction = yield* Transaction
  const random = yield* SecureRandom.SecureRandom
  const { idempotencyLifetime } = yield* Settings

  /** Renews the claim of a long request, also through outages of the storage, until the claim is lost. */
  const keepClaim = Effect.fnUntraced(function* (project: ProjectId, key: string, owner: string) {
    const renew = keys.renew(project, key, owner).pipe(
      Effect.map((isOurs) => (isOurs ? Option.some(renewal) : Option.none())),
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logWarning("Idempotency-Key not renewed", defect), Option.some(retry))
      )
    )
    for (let next = Option.some(renewal); Option.isSome(next); next = yield* renew) yield* Effect.sleep(next.value)
  })

  const release = (project: ProjectId, key: string, owner: string) =>
    Effect.catchDefect(keys.release(project, key, owner), (defect) =>
      Effect.logError("Idempotency-Key not released", defect)
    )

  return Effect.fnUntraced(function* <A, E, R>(
    { project, key, request, fingerprint }: Keyed,
    run: Effect.Effect<A, E, R>,
    responseOf: (value: A) => KeptResponse
  ): Effect.fn.Return<Once<A>, E, R> {
    const now = yield* DateTime.now
    const owner = yield* random.uuidV7()
    const expiresAt = DateTime.addDuration(now, idempotencyLifetime)
    const held = yield* keys.claim(project, key, { owner, request, fingerprint, expiresAt }, now)
    if (Option.isSome(held)) return { isFirst: false, first: held.value }

    const renewing = yield* Effect.forkChild(keepClaim(project, key, owner))
    const kept = Effect.tap(run, (value) => {
      const { status, body } = responseOf(value)
      return Effect.flatMap(keys.keep(project, key, owner, status, body), (isOurs) =>
        isOurs ? Effect.void : new TakenOver()
      )
    })
    const exit = yield* transaction
      .runOrFind(kept, () => keys.isKept(project, key, owner))
      // The caller may disconnect. The request still finishes, and its response is stored.
      .pipe(Effect.uninterruptible, Effect.exit)
    yield* Fiber.interrupt(renewing)
    // If the request was committed after all, this does not free its key.
    if (Exit.isFailure(exit)) yield* release(project, key, owner)
    return yield* exit.pipe(
      Effect.map((value): Once<A> => ({ isFirst: true, value })),
      Effect.catchIf(
        (error): error is TakenOver & typeof error => error instanceof TakenOver,
        () =>
          Effect.succeed({
            isFirst: false,
            first: { request, fingerprint, firstAt: now, status: null, body: null }
          } as const)
      )
    ) as Effect.Effect<Once<A>, E, R>
  })
})
