import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { wrongUsage } from "../../Failure.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"
import * as Members from "../../session/Members.ts"
import * as Profiles from "../../session/Profiles.ts"
import * as Session from "../../session/Session.ts"

export const setRole = Command.make(
  "set-role",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of a member")),
    role: Flag.Literals("role", ["OWNER", "ADMIN", "MEMBER"]).pipe(
      Flag.withDescription("OWNER hands the project over")
    ),
    yes,
    project: Members.projectOption,
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ email, role, yes, project: given, profile }) {
    const named = yield* Session.required(profile)
    const project = yield* Session.projectOf(named, given)
    const { userId } = yield* Members.find(named, project, email)
    if (userId === null) {
      return yield* wrongUsage(`${email} has not accepted yet.`, "Invite again with another --role.")
    }
    if (role === "OWNER") yield* confirm(`Hand ${project.name} over to ${email}, and stay as an ADMIN?`, yes)
    const path = `/projects/${project.id}/members/${userId}`
    const { data } = yield* Session.ask(named, "PATCH", path, Members.MemberAnswer, { role })
    yield* Output.one(data, Members.memberBlock(data))
  })
).pipe(
  Command.withDescription(
    "Change what a member of a project may do; takes a login. With OWNER the project is handed over, which asks first."
  ),
  Command.withShortDescription("Change the role of a member"),
  Command.withExamples([{ command: "posthorn projects set-role bob@example.com --role ADMIN" }])
)
