import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { keysBlock, keysRecord, projectBlock, projectRecord } from "../../operator/ProjectText.ts"
import { asOperatorOr, databaseOptions } from "../../operator/WithOperator.ts"
import * as Output from "../../output/Output.ts"
import * as Profiles from "../../session/Profiles.ts"
import { ownKeysBlock, ownProjectBlock } from "../../session/ProjectText.ts"
import * as Session from "../../session/Session.ts"

const inDatabase = Effect.fnUntraced(function* (name: string) {
  const { createProject } = yield* Operator
  const { project, keys } = yield* createProject(name)
  yield* Output.one({ ...projectRecord(project), ...keysRecord(keys) }, projectBlock(project), keysBlock(keys))
})

const withLogin = Effect.fnUntraced(function* (named: Profiles.Named, name: string) {
  const project = yield* Session.ask(named, "POST", "/users/@me/projects", Session.ProjectWithSecret, { name })
  const { public: publicKey, secret: secretKey, ...others } = project
  yield* Output.one({ ...others, publicKey, secretKey }, ownProjectBlock(project), ownKeysBlock(project))
})

export const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Name of the project, 1 to 100 characters")),
    profile: Profiles.profileOption,
    ...databaseOptions
  },
  ({ name, ...input }) => asOperatorOr(inDatabase(name), (named) => withLogin(named, name), input)
).pipe(
  Command.withDescription(
    "Create a project and show its keys, the secret one for the only time. Over the database, or with a login where there " +
      "is none: the user is then its OWNER."
  ),
  Command.withShortDescription("Create a project and show its keys, the secret one for the only time"),
  Command.withExamples([{ command: "posthorn projects create Shop" }])
)
