/** Many large requests at one moment, some of them too large or invalid (fault matrix F23). */
import { existsSync } from "node:fs"
import { Array, Effect, Random } from "effect"
import { peakMegabytes } from "../machine/ProcessTimes.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: the size of each request, and what is wrong with it. */
  readonly seed: string
  /** One after another. */
  readonly crowds: number
}

/** Whether this system reports the memory of a process. */
export const isMeasured: Effect.Effect<boolean> = Effect.sync(() => existsSync("/proc/self/status"))

const megabyte = 1024 * 1024
export const crowdSize = 25
/** The memory that the requests may take, in MB. All of them at once would take more than a gigabyte. */
const room = 600

const file = (content: string) => ({ filename: "large.bin", content })
const whole = file(Buffer.alloc(megabyte - 1, "x").toString("base64"))

interface Kind {
  readonly status: number
  /** In addition to sender, recipient and subject. */
  readonly more: (size: number) => object
}

const good: Kind = { status: 200, more: (size) => ({ attachments: Array.replicate(whole, size) }) }
const bad: Array.NonEmptyReadonlyArray<Kind> = [
  { status: 413, more: () => ({ body: "x".repeat(41 * megabyte) }) },
  { status: 422, more: (size) => ({ attachments: [file("%".repeat(size * megabyte))] }) },
  { status: 422, more: () => ({ attachments: Array.replicate(whole, 11) }) },
  { status: 422, more: (size) => ({ subject: "x".repeat(size * megabyte) }) },
  { status: 400, more: (size) => ({ data: JSON.parse(`${"[".repeat(200 * size)}${"]".repeat(200 * size)}`) }) }
]

const draw = Effect.all({
  // Three in four are valid.
  kind: Effect.flatMap(Random.nextIntBetween(0, 3), (one) =>
    one > 0 ? Effect.succeed(good) : Effect.orDie(Random.choice(bad))
  ),
  size: Random.nextIntBetween(1, 10)
})

/**
 * Returns the memory of the API, and the verdict: each request is accepted, refused with its error, or deferred, and
 * the server accepts requests afterwards.
 */
export const crowd = Effect.fn("LargeBodies.crowd")(function* ({ crowds, seed }: Options) {
  const { api, senders, startWorker } = yield* Installation
  const [project] = senders
  const post = (more: object, to: string) =>
    Load.post(api.url, { project, body: { ...Load.mailTo(project, [to]), ...more } }, { patience: 120_000 })
  const memory = Effect.map(peakMegabytes(api.pid), (megabytes = 0) => megabytes)
  const before = yield* memory
  const drawn = yield* Random.withSeed(Effect.replicateEffect(draw, crowds * crowdSize), `bodies ${seed}`)
  const accepted = new Set<string>()
  const wrong: globalThis.Array<string> = []
  for (const [number, some] of Array.chunksOf(drawn, crowdSize).entries()) {
    const answers = yield* Effect.forEach(
      some,
      ({ kind, size }) =>
        Effect.map(post(kind.more(size), `large-${number}@example.com`), (answer) => ({ answer, kind })),
      { concurrency: "unbounded" }
    )
    for (const { answer, kind } of answers) {
      const isBusy = answer.status === 503 && answer.retryAfter !== null
      if (answer.status === 200) for (const id of yield* Load.mailsOf(answer)) accepted.add(id)
      if (answer.status === kind.status || isBusy) continue
      wrong.push(
        `A request was answered ${answer.status} where ${kind.status} is right: ${JSON.stringify(answer.body)}`
      )
    }
    const last = yield* post(good.more(10), `afterwards-${number}@example.com`)
    if (last.status !== 200) wrong.push(`A request after the large ones was refused: ${last.status}`)
    else for (const id of yield* Load.mailsOf(last)) accepted.add(id)
  }
  const peak = yield* memory
  yield* startWorker()
  yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (count) => count === 0)
  const found = { before, peak, ...(yield* verdict(accepted, 0)) }
  return promisingAll(found, [
    ...wrong.map((sentence) => [sentence, false] as const),
    [`The API took ${peak - before} MB more`, peak - before < room] as const
  ])
})
