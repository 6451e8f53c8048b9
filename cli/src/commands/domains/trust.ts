import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { projectOf, projectOption } from "../../operator/ProjectOf.ts"
import { databaseOptions, withOperator } from "../../operator/WithOperator.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import { domainBlocks } from "../../output/DomainText.ts"
import * as Output from "../../output/Output.ts"

export const trust = Command.make(
  "trust",
  {
    domain: Argument.String("domain").pipe(Argument.withDescription("Name of the domain")),
    yes,
    project: projectOption,
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ domain: name, project, yes }) {
    const { setTrust } = yield* Operator
    const id = project === undefined ? undefined : (yield* projectOf(project)).id
    yield* confirm(`Verify ${name} without asking DNS, and keep it verified whatever DNS says?`, yes)
    const domain = yield* setTrust(name, id, true)
    yield* Output.one(domain, ...domainBlocks(domain))
  })
).pipe(
  Command.withDescription(
    "Verify a domain without asking DNS, and keep it verified whatever DNS says; for operators, over the database. Asks " +
      "first. `posthorn domains verify --end-trust` takes it back."
  ),
  Command.withShortDescription("Verify a domain without asking DNS; for operators"),
  Command.withExamples([{ command: "posthorn domains trust mail.example.com --yes" }]),
  withOperator
)
