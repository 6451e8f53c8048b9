/**
 * The disk of the database becomes full and has space again later, while requests and emails flow (fault matrix F20).
 */
import { open, rm } from "node:fs/promises"
import { join } from "node:path"
import { Array, Effect, Random } from "effect"
import * as Cluster from "./Cluster.ts"
import { Installation, layer } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  readonly seed: string
  readonly mails: number
  /** A folder on the disk of the database. */
  readonly disk: string
  readonly fullMilliseconds: number
  /** How often the disk becomes full. All emails are accepted by the last time. */
  readonly times: number
}

/** Fills the disk to the last byte. */
const fill = (file: string) =>
  Effect.promise(async () => {
    const ballast = await open(file, "w")
    for (let size = 1024 * 1024; size >= 4096; ) {
      const isWritten = await ballast.appendFile(Buffer.alloc(size)).then(
        () => true,
        () => false
      )
      if (!isWritten) size /= 2
    }
    await ballast.close()
  })

const onDisk = Effect.fnUntraced(function* (options: Options) {
  const { api, senders, startWorker } = yield* Installation
  const [project] = senders
  const requests = yield* Random.withSeed(Load.plan(senders, options.mails, `disk-${options.seed}`), options.seed)
  yield* startWorker()
  const accepted = new Set<string>()
  const meanwhile = { refused: 0, health: 0, notReady: 0, readyAgain: 0 }
  const readiness = Effect.map(Load.get(`${api.url}/ready`), ({ status }) => status)

  const large: Load.Request = { project, body: Load.mailTo(project, ["full@example.com"], 500_000) }
  const tryLarge = Effect.gen(function* () {
    const answer = yield* Load.post(api.url, large)
    if (answer.status === 200) for (const id of yield* Load.mailsOf(answer)) accepted.add(id)
    return answer.status
  })

  const filled = Effect.fnUntraced(function* (time: number) {
    yield* until(
      "requests to be answered",
      Effect.sync(() => accepted.size),
      (count) => count >= (options.mails * time) / (options.times + 1)
    )
    const ballast = join(options.disk, "ballast")
    yield* fill(ballast)
    yield* until("the disk to be full", tryLarge, (status) => status === 503)
    meanwhile.refused++
    meanwhile.health = (yield* Load.get(`${api.url}/health`)).status
    yield* Effect.sleep(options.fullMilliseconds)
    if ((yield* readiness) === 503) meanwhile.notReady++
    yield* Effect.promise(() => rm(ballast))
    yield* until("the process to be ready again", readiness, (status) => status === 200)
    meanwhile.readyAgain++
    yield* Ledger.endKeyLeases
  })
  const all = Effect.forEach(Array.range(1, options.times), filled, { discard: true })
  yield* Effect.all([all, Load.acceptAll(() => api.url, requests, accepted)], { concurrency: "unbounded" })
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
  const found = { meanwhile, ...(yield* verdict(accepted, 0)) }
  const times = [meanwhile.refused, meanwhile.notReady, meanwhile.readyAgain]
  const isSaid = times.every((count) => count === options.times) && meanwhile.health === 200
  return promising(found, "The API did not say in order that there is no room", isSaid)
})

/** Space for the database and some emails. */
const megabytes = 128

/**
 * Uses its own server, which needs the right to mount a disk. Returns the verdict: nothing lost, and no copies, because
 * nothing is sent that cannot be recorded.
 */
export const fullDisk = Effect.fn("FullDisk.fullDisk")(function* (options: Omit<Options, "disk">) {
  const cluster = yield* Cluster.makeOnSmallDisk(megabytes)
  const databaseUrl = yield* cluster.database("full_disk")
  return yield* onDisk({ ...options, disk: cluster.disk }).pipe(Effect.provide(layer({ databaseUrl, projects: 2 })))
})
