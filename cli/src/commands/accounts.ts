import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { keysBlock, keysRecord, Operator, projectBlock } from "../operator/Operator.ts"
import { databaseOptions, withOperator } from "../operator/WithOperator.ts"
import { confirm, passwordOf, passwordStdin, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"

const create = Command.make(
  "create",
  {
    email: Flag.String("email").pipe(Flag.withMetavar("<address>"), Flag.withDescription("Address to log in with")),
    passwordStdin,
    project: Flag.String("project").pipe(Flag.withMetavar("<name>"), Flag.withDescription("Name of its first project")),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ email, passwordStdin, project: projectName }) {
    const { accounts } = yield* Operator
    const password = yield* passwordOf(passwordStdin)
    const { account, project, keys } = yield* accounts.create({ email, password, projectName })
    yield* Output.one(
      {
        accountId: account.id,
        email: account.email,
        projectId: project.id,
        projectName: project.name,
        ...keysRecord(keys)
      },
      {
        rows: [
          ["account", account.email],
          ["account id", account.id]
        ]
      },
      projectBlock(project),
      keysBlock(keys)
    )
  })
).pipe(
  Command.withDescription(
    "Create an account with its first project, and show the project's keys. The secret key is shown only once. Works with " +
      "sign-ups disabled."
  ),
  Command.withShortDescription("Create an account with its first project"),
  Command.withExamples([
    { command: "posthorn accounts create --email ada@example.com --project Shop" },
    {
      command: "posthorn accounts create --email ada@example.com --project Shop --password-stdin --json < password.txt"
    }
  ]),
  withOperator
)

const twoFactorOff = Command.make(
  "two-factor-off",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of the account")),
    yes,
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ email, yes }) {
    const { switchTwoFactorsOff } = yield* Operator
    yield* confirm(`Let ${email} log in with the password alone?`, yes)
    const changed = yield* switchTwoFactorsOff(email)
    yield* Output.one({ email, totp: false, changed }, { rows: [["two factors", changed ? "off" : "were off"]] })
  })
).pipe(
  Command.withDescription(
    "Turn off two-factor authentication for a user who has lost the authenticator app and the recovery codes. The user " +
      "gets an email. First verify who is asking. Asks for confirmation."
  ),
  Command.withShortDescription("Turn off two-factor authentication for a locked-out account"),
  Command.withExamples([{ command: "posthorn accounts two-factor-off ada@example.com --yes" }]),
  withOperator
)

export const accounts = Command.make("accounts").pipe(
  Command.withDescription("User accounts; for operators, needs the database"),
  Command.withExamples([{ command: "posthorn accounts create --email ada@example.com --project Shop" }]),
  Command.withSubcommands([create, twoFactorOff])
)
