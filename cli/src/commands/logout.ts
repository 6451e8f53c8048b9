import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Output from "../output/Output.ts"
import * as Profiles from "../session/Profiles.ts"
import * as Session from "../session/Session.ts"

export const logout = Command.make(
  "logout",
  { profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ profile }) {
    const named = yield* Session.required(profile)
    // The session is deleted here even if the server cannot be reached.
    yield* Profiles.forget(named.name)
    yield* Session.end(named)
    yield* Output.one(
      { profile: named.name, email: named.profile.email },
      { rows: [["logged out", named.profile.email]] }
    )
  })
).pipe(
  Command.withDescription("End the session, here and on the server"),
  Command.withExamples([{ command: "posthorn logout" }, { command: "posthorn logout --profile staging" }])
)
