import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"
import * as Members from "../../session/Members.ts"
import * as Profiles from "../../session/Profiles.ts"
import * as Session from "../../session/Session.ts"

export const removeMember = Command.make(
  "remove-member",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of a member, or of one who is invited")),
    yes,
    project: Members.projectOption,
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ email, yes, project: given, profile }) {
    const named = yield* Session.required(profile)
    const project = yield* Session.projectOf(named, given)
    const member = yield* Members.find(named, project, email)
    yield* confirm(`Remove ${member.email} from ${project.name}?`, yes)
    const place = member.userId === null ? `invitations/${member.invitationId}` : `members/${member.userId}`
    yield* Session.ask(named, "DELETE", `/projects/${project.id}/${place}`, Schema.Unknown)
    yield* Output.one({ email: member.email, removed: true }, { rows: [["removed", member.email]] })
  })
).pipe(
  Command.withDescription(
    "Remove a member from a project, leave it, or take an invitation back; takes a login. Asks first."
  ),
  Command.withShortDescription("Remove a member from a project"),
  Command.withExamples([{ command: "posthorn projects remove-member bob@example.com --yes" }])
)
