/** `posthorn doctor`: checks everything that a server needs to start, and shows a fix for each problem. */
import { Effect } from "effect"
import * as Config from "./Config.ts"
import { idle } from "./config/IdleVariables.ts"
import { consoleCheck } from "./doctor/ConsoleCheck.ts"
import { databaseChecks } from "./doctor/DatabaseChecks.ts"
import { edgeChecks } from "./doctor/EdgeChecks.ts"
import { type Finding, failed, ok, warning } from "./doctor/Finding.ts"
import { machineChecks } from "./doctor/MachineChecks.ts"
import {
  dmarcReportCheck,
  dnsCheck,
  eventLoopCheck,
  linkHostCheck,
  publicUrlCheck,
  securityContact,
  smtpChecks
} from "./doctor/NetworkChecks.ts"
import { submissionChecks } from "./doctor/SubmissionChecks.ts"

export type { Finding } from "./doctor/Finding.ts"

const configChecks = Effect.map(
  idle,
  (sentences): ReadonlyArray<Finding> =>
    sentences.length === 0
      ? [ok("configuration", "Every variable has a valid value.")]
      : sentences.map((sentence) => warning("configuration", sentence, "Remove the variable, or correct its name."))
)

/**
 * Returns the findings in the order in which to fix them. With an invalid configuration it checks nothing else. It
 * opens and closes the embedded database, and changes nothing.
 */
export const doctor = Effect.fn("doctor")(function* (
  mode: Config.RunMode = "serve",
  options: Config.Options = {}
): Effect.fn.Return<ReadonlyArray<Finding>> {
  const config = yield* Effect.result(Config.read(mode, options))
  if (config._tag === "Failure") {
    return config.failure.problems.map(({ message }) => failed("configuration", message, "Correct the variable."))
  }
  const [
    configuration,
    machine,
    database,
    edge,
    smtp,
    submission,
    dns,
    publicUrl,
    linkHost,
    dmarcReports,
    consoleFinding,
    eventLoop
  ] = yield* Effect.all(
    [
      configChecks,
      machineChecks(config.success),
      databaseChecks(config.success),
      edgeChecks(config.success),
      smtpChecks(config.success),
      submissionChecks(config.success),
      dnsCheck(config.success),
      publicUrlCheck(config.success),
      linkHostCheck(config.success),
      dmarcReportCheck(config.success),
      consoleCheck(config.success, mode),
      eventLoopCheck(config.success)
    ],
    { concurrency: "unbounded" }
  )
  const contact = securityContact(config.success)
  return [
    ...configuration,
    ...machine,
    ...database,
    ...edge,
    ...smtp,
    ...submission,
    dns,
    publicUrl,
    linkHost,
    dmarcReports,
    consoleFinding,
    eventLoop,
    contact
  ]
})
