/** `posthorn doctor`: everything a start depends on, looked at one by one, each with its fix (doors 2). */
import { Effect } from "effect"
import * as Config from "./Config.ts"
import { idle } from "./config/IdleVariables.ts"
import { databaseChecks } from "./doctor/DatabaseChecks.ts"
import { type Finding, failed, ok, warning } from "./doctor/Finding.ts"
import { machineChecks } from "./doctor/MachineChecks.ts"
import { dnsCheck, publicUrlCheck, smtpChecks } from "./doctor/NetworkChecks.ts"

export type { Finding } from "./doctor/Finding.ts"

const configChecks = Effect.map(
  idle,
  (sentences): ReadonlyArray<Finding> =>
    sentences.length === 0
      ? [ok("configuration", "Every variable has a value that it may have.")]
      : sentences.map((sentence) => warning("configuration", sentence, "Remove the variable, or correct its name."))
)

/**
 * In the order in which they should be mended. With a faulty configuration nothing else is looked at. The embedded
 * database is opened and closed again; nothing is changed but that.
 */
export const doctor = Effect.fn("doctor")(function* (
  mode: Config.Mode = "serve",
  options: Config.Options = {}
): Effect.fn.Return<ReadonlyArray<Finding>> {
  const config = yield* Effect.result(Config.read(mode, options))
  if (config._tag === "Failure") {
    return config.failure.problems.map(({ message }) => failed("configuration", message, "Correct the variable."))
  }
  const [configuration, machine, database, smtp, dns, publicUrl] = yield* Effect.all(
    [
      configChecks,
      machineChecks(config.success),
      databaseChecks(config.success),
      smtpChecks(config.success),
      dnsCheck(config.success),
      publicUrlCheck(config.success)
    ],
    { concurrency: "unbounded" }
  )
  return [...configuration, ...machine, ...database, ...smtp, dns, publicUrl]
})
