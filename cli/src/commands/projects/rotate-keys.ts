import { Effect } from "effect"
import { Command } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { projectArgument, projectOf } from "../../operator/ProjectOf.ts"
import { keysBlock, keysRecord, projectBlock } from "../../operator/ProjectText.ts"
import { asOperatorOr, databaseOptions } from "../../operator/WithOperator.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"
import * as Profiles from "../../session/Profiles.ts"
import { ownKeysBlock, ownProjectBlock } from "../../session/ProjectText.ts"
import * as Session from "../../session/Session.ts"

const question = (name: string) => `Replace both keys of ${name}? The old ones stop working at once.`

const inDatabase = Effect.fnUntraced(function* (nameOrId: string, yes: boolean) {
  const { projects } = yield* Operator
  const project = yield* projectOf(nameOrId)
  yield* confirm(question(project.name), yes)
  const keys = yield* projects.rotateKeys(project.id)
  const { id, name } = project
  yield* Output.one({ id, name, ...keysRecord(keys) }, projectBlock(project), keysBlock(keys))
})

const withLogin = Effect.fnUntraced(function* (named: Profiles.Named, nameOrId: string, yes: boolean) {
  const { id, name } = yield* Session.projectOf(named, nameOrId)
  yield* confirm(question(name), yes)
  const project = yield* Session.ask(
    named,
    "POST",
    `/users/@me/projects/${id}/regenerate-keys`,
    Session.ProjectWithSecret
  )
  if (named.profile.project?.id === id) yield* Session.use(named, project)
  const { public: publicKey, secret: secretKey } = project
  yield* Output.one({ id, name, publicKey, secretKey }, ownProjectBlock(project), ownKeysBlock(project))
})

export const rotateKeys = Command.make(
  "rotate-keys",
  { project: projectArgument, yes, profile: Profiles.profileOption, ...databaseOptions },
  ({ project, yes, ...input }) =>
    asOperatorOr(inDatabase(project, yes), (named) => withLogin(named, project, yes), input)
).pipe(
  Command.withDescription(
    "Replace both keys of a project; the old ones stop working at once. Asks first. Over the database, or with a login " +
      "where there is none."
  ),
  Command.withShortDescription("Replace both keys of a project; the old ones stop working at once"),
  Command.withExamples([{ command: "posthorn projects rotate-keys Shop --yes" }])
)
