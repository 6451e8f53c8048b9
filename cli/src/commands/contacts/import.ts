import { Console, Effect, FileSystem, Path, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { CommandFailure, wrongUsage } from "../../Failure.ts"
import { optional } from "../../options/Optional.ts"
import * as Output from "../../output/Output.ts"
import { printable } from "../../output/Printable.ts"
import { progress } from "../../output/Progress.ts"

const poll = "500 millis"

/** Faulty rows that people are shown; `--json` has all that the service named. */
const maxShown = 20

const fileOf = Effect.fnUntraced(function* (name: string) {
  if (name === "-") {
    const { stdin } = yield* Stdio.Stdio
    const chunks = yield* Stream.runCollect(stdin)
    return new File(
      [...chunks].map((chunk) => new Uint8Array(chunk)),
      "standard-input.csv",
      { type: "text/csv" }
    )
  }
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const bytes = yield* Effect.mapError(fs.readFile(name), ({ reason }) =>
    wrongUsage(`The file ${name} cannot be read (${reason._tag}).`)
  )
  return new File([new Uint8Array(bytes)], path.basename(name), { type: "text/csv" })
})

/** Looks at the job until it has ended, and shows how far it is. */
const followed = Effect.fnUntraced(function* (jobId: string) {
  const { call } = yield* Api
  const bar = yield* progress("rows")
  return yield* Effect.gen(function* () {
    for (;;) {
      const job = yield* call(({ contacts }) => contacts.importJob(jobId))
      if (job.state === "completed" || job.state === "failed") return job
      const done = job.result?.totalRows ?? 0
      yield* bar.show(done, job.progress > 0 ? Math.round((100 * done) / job.progress) : undefined)
      yield* Effect.sleep(poll)
    }
  }).pipe(Effect.ensuring(bar.clear))
})

export const importContacts = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("CSV file with a header line that has a column email; `-` reads standard input")
    ),
    inferTypes: Flag.Boolean("infer-types").pipe(
      Flag.withDescription("Numbers and truth values become such; with --no-infer-types every cell stays text"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ file, inferTypes }) {
    const { call } = yield* Api
    const upload = yield* fileOf(file)
    const { jobId } = yield* call(({ contacts }) => contacts.import({ file: upload, inferTypes }))
    const job = yield* followed(jobId)
    if (job.state === "failed") {
      const message = `The import failed: ${job.failedReason ?? "nobody knows why."}`
      return yield* new CommandFailure({ exit: "failed", code: "JOB_FAILED", message, details: { job } })
    }
    const { createdCount = 0, updatedCount = 0, failureCount = 0, errors = [] } = job.result ?? {}
    yield* Output.one(job, {
      rows: [
        ["created", createdCount],
        ["updated", updatedCount],
        ["faulty", failureCount],
        ["job", jobId]
      ]
    })
    for (const { row, email, error } of errors.slice(0, maxShown)) {
      yield* Console.error(printable(`Line ${row}${email === "" ? "" : ` (${email})`}: ${error}`))
    }
    if (failureCount > maxShown) yield* Console.error(`... and ${failureCount - maxShown} more.`)
  })
).pipe(
  Command.withDescription("Import contacts from a CSV file, and wait for the end; faulty rows go to standard error"),
  Command.withExamples([
    { command: "posthorn contacts import people.csv" },
    { command: "posthorn contacts import - --json < people.csv" }
  ]),
  withApi
)
