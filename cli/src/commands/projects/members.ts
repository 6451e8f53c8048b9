import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import * as Output from "../../output/Output.ts"
import * as Members from "../../session/Members.ts"
import * as Profiles from "../../session/Profiles.ts"
import { ownProjectArgument } from "../../session/ProjectText.ts"
import * as Session from "../../session/Session.ts"

export const members = Command.make(
  "members",
  { project: ownProjectArgument, profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ project: given, profile }) {
    const named = yield* Session.required(profile)
    const { id } = yield* Session.projectOf(named, given)
    yield* Output.list(Stream.fromIterable(yield* Members.all(named, id)), {
      head: ["email", "role", "status", "id"],
      row: ({ email, role, status, userId, invitationId }) => [email, role, status, userId ?? invitationId ?? ""],
      none: "Nobody."
    })
  })
).pipe(
  Command.withDescription(
    "List who may act for a project, and who is invited to; takes a login. `posthorn projects invite`, `set-role` and " +
      "`remove-member` change it."
  ),
  Command.withShortDescription("List who may act for a project"),
  Command.withExamples([{ command: "posthorn projects members Shop --json" }])
)
