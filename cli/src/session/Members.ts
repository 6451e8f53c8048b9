/** Finds the members of a project by email address. */

import { Effect, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { optional } from "../options/Options.ts"
import type { Block } from "../output/Table.ts"
import type * as Profiles from "./Profiles.ts"
import * as Session from "./Session.ts"

/** A pending invitation has its own id and no user. */
export const Member = Schema.Struct({
  userId: Schema.NullOr(Schema.String),
  email: Schema.String,
  role: Schema.String,
  status: Schema.String,
  pendingRole: Schema.optionalKey(Schema.String),
  createdAt: Schema.optionalKey(Schema.String),
  expiresAt: Schema.optionalKey(Schema.String),
  invitationId: Schema.optionalKey(Schema.String)
})
export type Member = typeof Member.Type

export const ChangedMember = Schema.Struct({ data: Member })

const Members = Schema.Struct({ data: Schema.Array(Member) })

export const projectOption = Flag.String("project").pipe(
  Flag.withMetavar("<project>"),
  Flag.withDescription("Id or name of a project of the user; default: the current project"),
  optional
)

export const all = (named: Profiles.Named, project: string) =>
  Effect.map(Session.ask(named, "GET", `/projects/${project}/members`, Members), ({ data }) => data)

export const find = Effect.fnUntraced(function* (named: Profiles.Named, project: Session.UserProject, email: string) {
  const found = (yield* all(named, project.id)).find((member) => member.email === email.trim().toLowerCase())
  return (
    found ??
    (yield* new CommandFailure({
      exit: "notFound",
      code: "RESOURCE_NOT_FOUND",
      message: `${email} is neither a member of ${project.name} nor invited to it.`,
      suggestion: "`posthorn projects members` shows all members and invitations."
    }))
  )
})

/** An invitation for the user of the session. */
const Received = Schema.Struct({
  id: Schema.String,
  kind: Schema.String,
  projectId: Schema.String,
  projectName: Schema.String,
  role: Schema.String,
  invitedBy: Schema.NullOr(Schema.String),
  createdAt: Schema.String
})

export const InvitationAnswer = Schema.Struct({
  data: Schema.Struct({ projectId: Schema.String, role: Schema.String })
})

export const invitationArgument = Argument.String("invitation").pipe(
  Argument.withDescription("Id of an invitation, from `posthorn projects invitations`")
)

export const received = (named: Profiles.Named) =>
  Session.ask(named, "GET", "/users/@me/invitations", Schema.Array(Received))

export const receivedAs = Effect.fnUntraced(function* (named: Profiles.Named, id: string) {
  const found = (yield* received(named)).find((invitation) => invitation.id === id)
  return (
    found ??
    (yield* new CommandFailure({
      exit: "notFound",
      code: "RESOURCE_NOT_FOUND",
      message: `${named.profile.email} has no open invitation ${id}.`,
      suggestion: "`posthorn projects invitations` shows all of them."
    }))
  )
})

export const memberBlock = ({ email, role, status, pendingRole, expiresAt }: Member): Block => ({
  rows: [
    ["member", email],
    ["role", role],
    ["status", status],
    ...(pendingRole === undefined ? [] : [["offered", pendingRole] as const]),
    ...(expiresAt === undefined ? [] : [["invited until", expiresAt] as const])
  ]
})
