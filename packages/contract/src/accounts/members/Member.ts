/** Members of a project, and invitations to it. */
import { Schema } from "effect"
import { AccountId, MemberRole, ProjectId } from "../../platform/Auth.ts"
import { described, EmailAddress, Id, optional, required, Timestamp } from "../../platform/Primitives.ts"

export const InvitationId = Id.pipe(Schema.brand("InvitationId"))
export type InvitationId = typeof InvitationId.Type

export const ActiveMember = Schema.Struct({
  userId: AccountId,
  email: Schema.String,
  role: MemberRole,
  status: Schema.Literal("ACTIVE"),
  pendingRole: Schema.optionalKey(Schema.Literal("OWNER")).pipe(
    described("Set while the member has not answered the offer of ownership.")
  ),
  createdAt: Timestamp
}).annotate({ identifier: "ActiveMember", description: "A member of the project." })
export type ActiveMember = typeof ActiveMember.Type

export const PendingMember = Schema.Struct({
  userId: Schema.Null,
  invitationId: InvitationId,
  email: Schema.String,
  role: MemberRole,
  status: Schema.Literal("PENDING"),
  expiresAt: Timestamp
}).annotate({ identifier: "PendingMember", description: "A person who was invited and has not accepted yet." })
export type PendingMember = typeof PendingMember.Type

const answer = <S extends Schema.Top>(data: S) => Schema.Struct({ success: Schema.Literal(true), data })

export const MemberList = answer(Schema.Array(Schema.Union([ActiveMember, PendingMember]))).annotate({
  identifier: "MemberList",
  description: "Members, oldest first, then open invitations."
})
export const InvitedMember = answer(PendingMember).annotate({
  identifier: "InvitedMember",
  description: "The invitation that was sent."
})
export const MemberAnswer = answer(ActiveMember).annotate({
  identifier: "MemberAnswer",
  description: "The member after the change."
})

/** Roles that a caller can give. A project has exactly one OWNER. */
const GivenRole = Schema.Literals(["ADMIN", "MEMBER"])

/** Body of `POST /projects/{id}/members`. */
export const InviteMember = Schema.Struct({
  email: required(EmailAddress),
  role: optional(GivenRole).pipe(described("Default `MEMBER`."))
}).annotate({ identifier: "InviteMember" })
export type InviteMember = typeof InviteMember.Type

/** Body of `PATCH /projects/{id}/members/{userId}`. */
export const UpdateMember = Schema.Struct({
  role: required(MemberRole).pipe(
    described(
      "`OWNER` offers the project to the member. The caller owns it until the member accepts, and is ADMIN after that."
    )
  )
}).annotate({ identifier: "UpdateMember" })
export type UpdateMember = typeof UpdateMember.Type

export const InvitationKind = Schema.Literals(["MEMBERSHIP", "OWNERSHIP"])
export type InvitationKind = typeof InvitationKind.Type

const kind = InvitationKind.pipe(
  described("`OWNERSHIP` offers the project to a member. `MEMBERSHIP` is an invitation to become a member.")
)
const invitedBy = Schema.NullOr(AccountId).pipe(
  described("Null for an invitation with the secret key, or by a deleted account.")
)

export const Invitation = Schema.Struct({
  id: InvitationId,
  kind,
  email: Schema.String,
  role: MemberRole,
  invitedBy,
  expiresAt: Timestamp,
  createdAt: Timestamp
}).annotate({ identifier: "Invitation", description: "An open invitation." })
export type Invitation = typeof Invitation.Type

export const InvitationList = answer(Schema.Array(Invitation)).annotate({
  identifier: "InvitationList",
  description: "Open invitations, oldest first."
})

export const InvitationView = answer(
  Schema.Struct({
    kind,
    projectName: Schema.String,
    email: Schema.String,
    role: MemberRole,
    expiresAt: Timestamp,
    hasAccount: Schema.Boolean.pipe(described("Whether the address already has an account."))
  })
).annotate({ identifier: "InvitationView", description: "An invitation as its recipient sees it." })

export const AcceptedInvitation = answer(Schema.Struct({ projectId: ProjectId, role: MemberRole })).annotate({
  identifier: "AcceptedInvitation",
  description: "The project, and the role that the user has in it now."
})

/** One element of `GET /users/@me/invitations`. */
export const ReceivedInvitation = Schema.Struct({
  id: InvitationId,
  kind,
  projectId: ProjectId,
  projectName: Schema.String,
  role: MemberRole.pipe(described("The role after the invitation is accepted.")),
  invitedBy,
  createdAt: Timestamp
}).annotate({ identifier: "ReceivedInvitation", description: "An open invitation to the user of the session." })
export type ReceivedInvitation = typeof ReceivedInvitation.Type
