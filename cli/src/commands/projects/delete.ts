import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"
import * as Profiles from "../../session/Profiles.ts"
import * as Session from "../../session/Session.ts"

/** The project is always named: the one in use is not deleted by a word left out. */
export const remove = Command.make(
  "delete",
  {
    project: Argument.String("project").pipe(Argument.withDescription("Id or name of a project of the user")),
    yes,
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ project: given, yes, profile }) {
    const named = yield* Session.required(profile)
    const { id, name } = yield* Session.projectOf(named, given)
    yield* confirm(`Delete the project ${name} with all it has? Its keys stop working at once.`, yes)
    yield* Session.ask(named, "DELETE", `/users/@me/projects/${id}`, Schema.Null)
    if (named.profile.project?.id === id) yield* Session.useNone(named)
    yield* Output.one({ id, name, deleted: true }, { rows: [["deleted", name]] })
  })
).pipe(
  Command.withDescription("Delete a project, as its OWNER. Asks first; takes a login"),
  Command.withExamples([{ command: "posthorn projects delete Shop --yes" }])
)
