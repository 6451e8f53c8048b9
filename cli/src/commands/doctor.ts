import { Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { dataDirOption } from "../options/Server.ts"
import * as Output from "../output/Output.ts"

export const doctor = Command.make(
  "doctor",
  {
    dev: Flag.Boolean("dev").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Check the requirements of `posthorn dev` instead of `posthorn serve`")
    ),
    dataDir: dataDirOption
  },
  Effect.fnUntraced(function* ({ dev, dataDir }) {
    const { doctor } = yield* Effect.promise(() => import("@posthorn/node/Doctor"))
    const findings = yield* doctor(dev ? "dev" : "serve", { dataDir })
    yield* Output.list(Stream.fromIterable(findings), {
      head: ["state", "check", "found", "fix"],
      row: ({ state, check, found, fix }) => [state, check, found, fix],
      none: "There was nothing to check."
    })
    const failed = findings.filter(({ state }) => state === "failed").length
    if (failed === 0) return
    const message = `${failed} of ${findings.length} checks failed.`
    return yield* new CommandFailure({ exit: "failed", code: "CHECKS_FAILED", message })
  })
).pipe(
  Command.withDescription(
    "Check everything that a server needs to start, and show a fix for each problem: configuration, disk, database, migrations, " +
      "clock, SMTP, DNS, public URL. Nothing is changed."
  ),
  Command.withShortDescription("Check everything that a server needs to start, and show a fix for each problem"),
  Command.withExamples([{ command: "posthorn doctor" }, { command: "posthorn doctor --dev" }])
)
