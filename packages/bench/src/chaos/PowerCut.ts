/**
 * The machine of an embedded database loses power: the folder is copied while a process uses it, and another process
 * opens the copy (fault matrix F26). The copy also contains data that the system has not yet written to disk. So this
 * tests an abrupt stop, but not a disk that loses writes.
 */
import { execFile } from "node:child_process"
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { startSink } from "@posthorn/mailer-smtp/testing"
import * as Pglite from "@posthorn/pglite"
import { Effect, Exit, Layer, Random, Schema } from "effect"
import * as Seed from "../Seed.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import * as Load from "./Load.ts"
import * as Program from "./Program.ts"
import type { Verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: requests and moments. */
  readonly seed: string
  readonly cuts: number
}

/** Emails that are accepted around each cut. */
const perCut = 100

const run = promisify(execFile)

/**
 * Copies file by file; a file may disappear meanwhile. The copied lock names a process that the power cut also ends.
 */
const copied = (from: string, to: string) =>
  Effect.promise(async () => {
    await run("cp", ["-a", from, to]).catch(() => {})
    for (const file of await readdir(to)) if (file.startsWith("posthorn.lock")) await rm(join(to, file))
  })

const sinkOf = Effect.acquireRelease(
  Effect.promise(() => startSink()),
  (sink) => Effect.promise(() => sink.close())
)

const Page = Schema.decodeUnknownEffect(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({ id: Schema.String, status: Schema.String })),
    cursor: Schema.optionalKey(Schema.NullOr(Schema.String)),
    hasMore: Schema.Boolean
  })
)

/** Every email that a server lists. */
const listed = Effect.fnUntraced(function* (url: string, key: string) {
  const found: Array<{ readonly id: string; readonly status: string }> = []
  for (let query = ""; ; ) {
    const { body, status } = yield* Load.ask("GET", `${url}/emails?limit=100${query}`, { key })
    if (status !== 200) return yield* Effect.die(new Error(`A list was answered ${status} ${JSON.stringify(body)}`))
    const { cursor, data, hasMore } = yield* Effect.orDie(Page(body))
    found.push(...data)
    if (!hasMore) return found
    query = `&cursor=${cursor}`
  }
})

const start = (folder: string, port: number) =>
  Program.launch({
    POSTHORN_DATA_DIR: folder,
    POSTHORN_SECRET: Seed.secret,
    POSTHORN_PUBLIC_URL: "https://posthorn.example",
    POSTHORN_EVIDENCE_WAIT_SECONDS: "0",
    POSTHORN_ROLE: "all",
    POSTHORN_PORT: "0",
    // Checks every email of a copy, concurrently.
    POSTHORN_RATE_LIMIT_PER_MINUTE: "0",
    POSTHORN_SMTP_URL: `smtp://127.0.0.1:${port}?tls=none&pool=4`
  })

/**
 * The result for one copy: refused with a reason, or opened, with which of the emails accepted before the copy it has.
 */
const opened = Effect.fnUntraced(function* (folder: string, sender: Seed.Sender, before: ReadonlySet<string>) {
  const sink = yield* sinkOf
  const server = yield* Effect.exit(start(folder, sink.port))
  if (Exit.isFailure(server)) return { isOpen: false, missing: 0, wrong: [] }
  const { url } = server.value
  const ids = yield* Load.insist(() => url, {
    project: sender,
    key: "after the cut",
    body: Load.mailTo(sender, ["after@example.com"])
  })
  const mails = yield* until("the mails of the copy to end", listed(url, sender.key), (all) =>
    all.every(({ status }) => status === "SENT")
  )
  const known = new Set(mails.map(({ id }) => id))
  const got = new Set(sink.mails.map(({ messageId }) => messageId.slice(0, messageId.indexOf("@"))))
  const lookUp = ({ id }: { readonly id: string }) =>
    Effect.map(Load.ask("GET", `${url}/emails/${id}`, { key: sender.key }), ({ status }) => status !== 200)
  const halves = yield* Effect.filter(mails, lookUp, { concurrency: 8 })
  return {
    isOpen: true,
    missing: [...before].filter((id) => !known.has(id)).length,
    wrong: [
      ...halves.map(({ id }) => `${id} is listed and cannot be looked at`),
      ...(known.size === mails.length ? [] : ["A mail is listed twice"]),
      ...(ids.every((id) => known.has(id) && got.has(id)) ? [] : ["A new mail was accepted and not sent"])
    ]
  }
}, Effect.scoped)

/** Returns what each copy lacks, and the verdict: it opens complete, or the program says that it does not. */
export const cuts = Effect.fn("PowerCut.cuts")(function* (options: Options) {
  const folder = yield* temporaryFolder("power-cut")
  const home = join(folder, "home")
  const database = Layer.orDie(Migrations.layer.pipe(Layer.provideMerge(Pglite.layer({ folder: home }))))
  const senders = yield* Effect.provide(Seed.senders(1), Seed.core(database))
  const [sender] = senders
  if (sender === undefined) return yield* Effect.die(new Error("No sender was made"))
  const sink = yield* sinkOf
  const server = yield* start(home, sink.port)
  const moments = yield* Random.withSeed(
    Effect.replicateEffect(Random.nextIntBetween(1, perCut - 10), options.cuts),
    `cuts ${options.seed}`
  )
  const accepted = new Set<string>()
  const made: Array<Effect.Success<ReturnType<typeof opened>>> = []
  for (const [number, moment] of moments.entries()) {
    const plan = Load.plan([sender], perCut, `${options.seed}-${number}`)
    const requests = yield* Random.withSeed(plan, `mails ${options.seed}-${number}`)
    const before = accepted.size
    const acceptedSince = Effect.sync(() => accepted.size - before)
    const copy = join(folder, `copy-${number}`)
    const copying = Effect.gen(function* () {
      yield* until("requests to be answered", acceptedSince, (count) => count >= moment)
      const known = new Set(accepted)
      yield* copied(home, copy)
      return known
    })
    const flow = Load.acceptAll(() => server.url, requests, accepted)
    const [known] = yield* Effect.all([copying, flow], { concurrency: "unbounded" })
    made.push(yield* opened(copy, sender, known))
    yield* Effect.promise(() => rm(copy, { recursive: true, force: true }))
  }
  const mails = yield* until("the end of all mails", listed(server.url, sender.key), (all) =>
    all.every(({ status }) => status === "SENT")
  )
  const ids = sink.mails.map(({ messageId }) => messageId.slice(0, messageId.indexOf("@")))
  const lost = [...accepted].filter((id) => !ids.includes(id)).length
  return {
    opened: made.filter(({ isOpen }) => isOpen).length,
    missing: made.map(({ missing }) => missing),
    ...{ accepted: accepted.size, delivered: accepted.size - lost, lost, extra: ids.length - new Set(ids).size },
    ...{ bound: 0, ambiguous: 0, resting: 0 },
    violations: [
      ...made.flatMap(({ wrong }) => wrong),
      ...(mails.length === accepted.size
        ? []
        : [`${mails.length} mails are listed, and ${accepted.size} were accepted`]),
      ...(lost === 0 ? [] : [`${lost} mails were lost where no power was`])
    ]
  } satisfies Verdict & { readonly opened: number; readonly missing: ReadonlyArray<number> }
})
