/** The requests of others beside something that could hold them up, compared with the same requests alone. */
import { Effect, type Scope } from "effect"
import * as PacedLoad from "../load/PacedLoad.ts"
import { latencyOf, spread } from "../Statistics.ts"
import { Installation } from "./Installation.ts"
import { promisingAll, verdict } from "./Verdict.ts"

export interface Options {
  /** Each has two loads: alone, and beside the disturbance. */
  readonly rounds: number
  /** Of one load. */
  readonly seconds: number
  /** Requests a second of the load. */
  readonly perSecond: number
  /**
   * The largest allowed ratio of the others' 99th percentile beside the disturbance to that alone, by the medians of
   * all rounds.
   */
  readonly most: number
}

/**
 * Runs the load alone and beside the disturbance, which lasts until its scope closes. Returns the percentiles, what each
 * disturbance returned, and the verdict: others are served as if there were none.
 */
export const compare = Effect.fnUntraced(function* <A, R>(
  url: string,
  { most, perSecond, rounds, seconds }: Options,
  disturb: Effect.Effect<A, never, R | Scope.Scope>
) {
  const { senders } = yield* Installation
  const load = yield* Effect.orDie(PacedLoad.start)
  const run = (length: number) =>
    load
      .ask(
        {
          url: `${url}/contacts`,
          body: '{"email":"beside-$n@example.com"}',
          projects: senders,
          perSecond,
          seconds: length
        },
        PacedLoad.Answer
      )
      .pipe(Effect.orDie)
  yield* run(2)

  const answered: Record<string, number> = {}
  const alone: globalThis.Array<number> = []
  const beside: globalThis.Array<number> = []
  const disturbances: globalThis.Array<A> = []
  const measure = Effect.fnUntraced(function* (into: globalThis.Array<number>) {
    const { requests } = yield* run(seconds)
    for (const { status } of requests) answered[status] = (answered[status] ?? 0) + 1
    into.push(latencyOf(requests.map(({ took }) => took)).p99)
  })
  for (let round = 0; round < rounds; round++) {
    yield* measure(alone)
    yield* Effect.scoped(
      Effect.gen(function* () {
        disturbances.push(yield* disturb)
        yield* measure(beside)
      })
    )
  }

  const p99 = { alone: spread(alone), beside: spread(beside) }
  const found = { answered, disturbances, p99, ...(yield* verdict(new Set(), 0)) }
  const strange = Object.keys(answered).filter((status) => !status.startsWith("2"))
  const isFast = p99.beside.median <= most * p99.alone.median
  return promisingAll(found, [
    [`Others were answered ${strange.join(", ")}`, strange.length === 0],
    [`The 99th percentile was ${p99.beside.median} ms beside ${p99.alone.median} ms`, isFast]
  ])
})
