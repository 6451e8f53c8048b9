import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import * as Output from "../output/Output.ts"
import * as Profiles from "../session/Profiles.ts"
import * as Session from "../session/Session.ts"

const Me = Schema.Struct({ id: Schema.String, email: Schema.String, emailVerified: Schema.Boolean })

export const whoami = Command.make(
  "whoami",
  { profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ profile }) {
    const named = yield* Session.required(profile)
    const me = yield* Session.ask(named, "GET", "/users/@me", Me)
    const { url, project } = named.profile
    yield* Output.one(
      { ...me, profile: named.name, url, project: project ? { id: project.id, name: project.name } : null },
      {
        rows: [
          ["account", me.email],
          ["address", me.emailVerified ? "confirmed" : "not confirmed"],
          ["at", url],
          ["profile", named.name],
          ["project", project?.name ?? "none in use"]
        ]
      }
    )
  })
).pipe(
  Command.withDescription("Tell who is logged in, where, and which project is in use"),
  Command.withExamples([{ command: "posthorn whoami --json" }])
)
