/**
 * Measures the service: `node src/main.ts [--only F1,F4] [--quick] [--rounds 3] [--sends 5000] [--audience 1000000]
 * [--mails 1000000] [--minutes 15] [--out file.json] [--profiles folder] [--keep]`. `--sends` is the number of emails in each run of the
 * rows that deliver, `--audience` the number of contacts of the largest project in the audience rows, `--mails` the
 * number of emails in the activity and analytics rows, `--minutes` how long a tab of the console is idle. `--keep` writes the rows to
 * `results/bench.json`, in place of those with the same name, and regenerates the tables that show them.
 *
 * Prints a table and writes its data as JSON. No figure is asserted.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, DateTime, Effect, Scope } from "effect"
import { Bench } from "./Bench.ts"
import { BenchFailure } from "./BenchFailure.ts"
import { type MeasuredRow, measureRow, type Plan } from "./Measure.ts"
import { describe } from "./machine/Machine.ts"
import * as Postgres from "./Postgres.ts"
import * as Published from "./processes/Published.ts"
import { markdown } from "./Report.ts"
import { write as writeDocuments } from "./results/Documents.ts"
import { keep, origin } from "./results/Kept.ts"
import { rows } from "./rows/index.ts"
import * as AudienceDatabase from "./seed/AudienceDatabase.ts"
import * as ConsoleProject from "./seed/ConsoleProject.ts"
import * as MailDatabase from "./seed/MailDatabase.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const { values: given } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    rounds: { type: "string", default: "3" },
    audience: { type: "string" },
    mails: { type: "string" },
    sends: { type: "string" },
    minutes: { type: "string" },
    out: { type: "string", default: fileURLToPath(new URL("../results/latest.json", import.meta.url)) },
    profiles: { type: "string" },
    keep: { type: "boolean", default: false }
  }
})

const plan: Plan = {
  rounds: Number(given.rounds),
  effort: {
    seconds: given.quick ? 3 : 10,
    mails: Number(given.sends ?? (given.quick ? 1_000 : 5_000)),
    minutes: Number(given.minutes ?? (given.quick ? 1 : 15))
  },
  warmUp: given.quick ? { seconds: 2, mails: 500, minutes: 0.1 } : { seconds: 5, mails: 2_000, minutes: 0.1 }
}

const largest = Number(given.audience ?? (given.quick ? 100_000 : 1_000_000))
/** A tenth and a hundredth of it show the slope. */
const audienceSizes = [Math.ceil(largest / 100), Math.ceil(largest / 10), largest]

const mostMails = Number(given.mails ?? (given.quick ? 100_000 : 1_000_000))
const mailSizes = [Math.ceil(mostMails / 100), Math.ceil(mostMails / 10), mostMails]

const chosen = Effect.gen(function* () {
  if (given.only === undefined) return rows
  // The rows of the console are also known as K1 to K9.
  const ids = given.only
    .toUpperCase()
    .split(",")
    .map((id) => id.replace(/^K(?=\d)/, "U"))
  const unknown = ids.filter((id) => !rows.some((row) => row.id === id))
  if (unknown.length > 0) {
    const known = rows.map(({ id }) => id).join(", ")
    return yield* new BenchFailure({ message: `There is no row ${unknown.join(", ")}; there are ${known}.` })
  }
  return rows.filter(({ id }) => ids.includes(id))
})

const write = (file: string, text: string) =>
  Effect.promise(async () => {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  })

const program = Effect.gen(function* () {
  const selected = yield* chosen
  const postgres = yield* Postgres.find
  const startedAt = DateTime.formatIso(yield* DateTime.now)
  const settings = postgres === undefined ? undefined : yield* Postgres.settings(postgres)
  const machine = describe(settings)
  const from = yield* origin("bench", settings)
  const scope = yield* Effect.scope
  const folder = yield* temporaryFolder("bench")
  const bench = {
    postgres,
    folder,
    program: given.profiles === undefined ? Published.program : Effect.succeed(Published.sources),
    profiles: given.profiles === undefined ? undefined : resolve(given.profiles),
    audienceSizes,
    audience: yield* Effect.cached(Scope.provide(AudienceDatabase.make(postgres, audienceSizes), scope)),
    mail: yield* Effect.cached(Scope.provide(MailDatabase.make(postgres, mailSizes), scope)),
    console: yield* Effect.cached(
      Scope.provide(ConsoleProject.make(postgres, { contacts: largest, mails: mostMails }), scope)
    )
  }
  const kept = (row: MeasuredRow) =>
    given.keep && row.cases.length > 0 ? keep("bench", [{ ...row, plan, origin: from }], ({ id }) => id) : Effect.void
  const measured = yield* Effect.forEach(selected, (row) => Effect.tap(measureRow(row, plan), kept)).pipe(
    Effect.provideService(Bench, bench)
  )
  const report = { startedAt, machine, plan, rows: measured }
  yield* Console.log(markdown(report))
  yield* write(resolve(given.out), `${JSON.stringify(report, null, 2)}\n`)
  yield* Console.error(`Written to ${given.out}`)
  if (given.keep) yield* writeDocuments
  const failed = measured.filter(({ failed }) => failed !== undefined).map(({ id }) => id)
  if (failed.length > 0) return yield* new BenchFailure({ message: `No figures for ${failed.join(", ")}.` })
})

NodeRuntime.runMain(Effect.scoped(program))
