import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Output from "../../output/Output.ts"
import * as Profiles from "../../session/Profiles.ts"
import { ownProjectBlock } from "../../session/ProjectText.ts"
import * as Session from "../../session/Session.ts"

export const use = Command.make(
  "use",
  {
    project: Argument.String("project").pipe(Argument.withDescription("Id or name of a project of the user")),
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ project: given, profile }) {
    const named = yield* Session.required(profile)
    const project = yield* Session.projectOf(named, given)
    yield* Session.use(named, project)
    yield* Output.one(project, ownProjectBlock(project))
  })
).pipe(
  Command.withDescription("Choose the project that commands act for when they are given no key; takes a login"),
  Command.withExamples([{ command: "posthorn projects use Shop" }])
)
