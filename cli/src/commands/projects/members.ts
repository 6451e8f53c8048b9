import { Effect, Schema, Stream } from "effect"
import { Command } from "effect/cli"
import * as Output from "../../output/Output.ts"
import * as Profiles from "../../session/Profiles.ts"
import { ownProjectArgument } from "../../session/ProjectText.ts"
import * as Session from "../../session/Session.ts"

const Members = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      userId: Schema.NullOr(Schema.String),
      email: Schema.String,
      role: Schema.String,
      status: Schema.String,
      createdAt: Schema.optionalKey(Schema.String),
      expiresAt: Schema.optionalKey(Schema.String),
      invitationId: Schema.optionalKey(Schema.String)
    })
  )
})

export const members = Command.make(
  "members",
  { project: ownProjectArgument, profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ project: given, profile }) {
    const named = yield* Session.required(profile)
    const { id } = yield* Session.projectOf(named, given)
    const { data } = yield* Session.ask(named, "GET", `/projects/${id}/members`, Members)
    yield* Output.list(Stream.fromIterable(data), {
      head: ["email", "role", "status", "id"],
      row: ({ email, role, status, userId, invitationId }) => [email, role, status, userId ?? invitationId ?? ""],
      none: "Nobody."
    })
  })
).pipe(
  Command.withDescription("List who may act for a project, and who is invited to; takes a login"),
  Command.withExamples([{ command: "posthorn projects members Shop --json" }])
)
