/** Shows help and the version. Errors of a command line are printed like all other failures. */

import { Console, Effect } from "effect"
import { CliOutput, type HelpDoc } from "effect/cli"

/** Folds long sentences. */

/** Breaks lines between words after at most 96 characters, and indents them like the first line of a help text. */
const folded = (text: string): string => text.replace(/(.{1,96})(?:\s+|$)/g, "$1\n  ").trimEnd()

/** Whether it is `posthorn` without a command. */
export const isBare = (commandPath: ReadonlyArray<string>): boolean => commandPath.length === 1

const help = (doc: HelpDoc.HelpDoc): string =>
  CliOutput.defaultFormatter().formatHelpDoc({ ...doc, description: folded(doc.description) })

/** Requested help goes to standard output. Help for an incomplete command goes to standard error. */
export const presenter: CliOutput.Presenter = {
  present: (event) => {
    switch (event._tag) {
      case "Help":
        return event.reason === "Requested" || isBare(event.commandPath)
          ? Console.log(help(event.helpDoc))
          : Console.error(help(event.helpDoc))
      case "Version":
        return Console.log(`${event.name} ${event.version}`)
      case "InvalidInvocation":
        return Effect.void
    }
  }
}
