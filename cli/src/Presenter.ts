/** Help and version. What is wrong with a command line is told with all other failures. */
import { Console, Effect } from "effect"
import { CliOutput, type HelpDoc } from "effect/cli"
import { folded } from "./output/Fold.ts"

/** `posthorn` and nothing else. */
export const isBare = (commandPath: ReadonlyArray<string>): boolean => commandPath.length === 1

const help = (doc: HelpDoc.HelpDoc): string =>
  CliOutput.defaultFormatter().formatHelpDoc({ ...doc, description: folded(doc.description) })

/** Help that was asked for is an answer; a command that is only half there gets it as an error. */
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
