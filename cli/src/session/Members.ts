/** Who may act for a project, as its commands name them: by address. */
import { Effect, Schema } from "effect"
import { Flag } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { optional } from "../options/Optional.ts"
import type { Block } from "../output/Table.ts"
import type * as Profiles from "./Profiles.ts"
import * as Session from "./Session.ts"

/** An invitation that nobody has accepted yet has an id of its own, and no user. */
export const Member = Schema.Struct({
  userId: Schema.NullOr(Schema.String),
  email: Schema.String,
  role: Schema.String,
  status: Schema.String,
  createdAt: Schema.optionalKey(Schema.String),
  expiresAt: Schema.optionalKey(Schema.String),
  invitationId: Schema.optionalKey(Schema.String)
})
export type Member = typeof Member.Type

export const MemberAnswer = Schema.Struct({ data: Member })

const Members = Schema.Struct({ data: Schema.Array(Member) })

export const projectOption = Flag.String("project").pipe(
  Flag.withMetavar("<project>"),
  Flag.withDescription("Id or name of a project of the user; else the one in use"),
  optional
)

export const all = (named: Profiles.Named, project: string) =>
  Effect.map(Session.ask(named, "GET", `/projects/${project}/members`, Members), ({ data }) => data)

export const find = Effect.fnUntraced(function* (named: Profiles.Named, project: Session.Project, email: string) {
  const found = (yield* all(named, project.id)).find((member) => member.email === email.trim().toLowerCase())
  return (
    found ??
    (yield* new CommandFailure({
      exit: "notFound",
      code: "RESOURCE_NOT_FOUND",
      message: `${email} is neither a member of ${project.name} nor invited to it.`,
      suggestion: "`posthorn projects members` shows all of them."
    }))
  )
})

export const memberBlock = ({ email, role, status, expiresAt }: Member): Block => ({
  rows: [
    ["member", email],
    ["role", role],
    ["status", status],
    ...(expiresAt === undefined ? [] : [["invited until", expiresAt] as const])
  ]
})
