import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Output from "../../output/Output.ts"
import * as Members from "../../session/Members.ts"
import * as Profiles from "../../session/Profiles.ts"
import * as Session from "../../session/Session.ts"

export const invite = Command.make(
  "invite",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of the new member")),
    role: Flag.Literals("role", ["ADMIN", "MEMBER"]).pipe(
      Flag.withDefault("MEMBER"),
      Flag.withDescription("An ADMIN may also change settings, domains and members")
    ),
    project: Members.projectOption,
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ email, role, project: given, profile }) {
    const named = yield* Session.required(profile)
    const { id } = yield* Session.projectOf(named, given)
    const path = `/projects/${id}/members`
    const { data } = yield* Session.ask(named, "POST", path, Members.MemberAnswer, { email, role })
    yield* Output.one(data, Members.memberBlock(data))
  })
).pipe(
  Command.withDescription(
    "Make somebody a member of a project; takes a login. Who has a confirmed account is one at once, another gets a mail " +
      "with a link. Inviting again sends a new one."
  ),
  Command.withShortDescription("Make somebody a member of a project"),
  Command.withExamples([{ command: "posthorn projects invite bob@example.com --role ADMIN" }])
)
