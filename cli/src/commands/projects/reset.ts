import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"
import * as Profiles from "../../session/Profiles.ts"
import { ownProjectArgument } from "../../session/ProjectText.ts"
import * as Session from "../../session/Session.ts"

const Reset = Schema.Struct({ data: Schema.Struct({ state: Schema.Literals(["completed", "running"]) }) })

export const reset = Command.make(
  "reset",
  { project: ownProjectArgument, yes, profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ project: given, yes, profile }) {
    const named = yield* Session.required(profile)
    const { id, name } = yield* Session.projectOf(named, given)
    yield* confirm(
      `Delete all data of ${name}, but its settings, keys, members and domains? There is no way back.`,
      yes
    )
    const { data } = yield* Session.ask(named, "POST", `/users/@me/projects/${id}/reset`, Reset)
    yield* Output.one(
      { id, name, state: data.state },
      {
        rows: [
          ["project", name],
          ["deletion", data.state]
        ]
      }
    )
  })
).pipe(
  Command.withDescription("Wipe the data of a project, as its OWNER. Asks first; takes a login"),
  Command.withExamples([{ command: "posthorn projects reset Shop --yes" }])
)
