/** Who may act for a project, and who is invited to (contract-2 11). */
import { Schema } from "effect"
import { AccountId, MemberRole, ProjectId } from "../Auth.ts"
import { described, Email, Id, optional, required, Timestamp } from "../Wire.ts"

export const InvitationId = Id.pipe(Schema.brand("InvitationId"))
export type InvitationId = typeof InvitationId.Type

export const ActiveMember = Schema.Struct({
  userId: AccountId,
  email: Schema.String,
  role: MemberRole,
  status: Schema.Literal("ACTIVE"),
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
}).annotate({ identifier: "PendingMember", description: "Somebody who was invited and has not come yet." })
export type PendingMember = typeof PendingMember.Type

const answer = <S extends Schema.Top>(data: S) => Schema.Struct({ success: Schema.Literal(true), data })

export const MemberList = answer(Schema.Array(Schema.Union([ActiveMember, PendingMember]))).annotate({
  identifier: "MemberList",
  description: "Members, oldest first, and after them who is invited."
})
export const InvitedMember = answer(Schema.Union([ActiveMember, PendingMember])).annotate({
  identifier: "InvitedMember",
  description: "A member, or an invitation that was sent."
})
export const MemberAnswer = answer(ActiveMember).annotate({
  identifier: "MemberAnswer",
  description: "The member as it is now."
})

/** Roles that can be given: there is exactly one OWNER. */
const GivenRole = Schema.Literals(["ADMIN", "MEMBER"])

/** Body of `POST /projects/{id}/members`. */
export const InviteMember = Schema.Struct({
  email: required(Email),
  role: optional(GivenRole).pipe(described("Default `MEMBER`."))
}).annotate({ identifier: "InviteMember" })
export type InviteMember = typeof InviteMember.Type

/** Body of `PATCH /projects/{id}/members/{userId}`. */
export const UpdateMember = Schema.Struct({
  role: required(MemberRole).pipe(described("`OWNER` hands the project over; the caller becomes ADMIN."))
}).annotate({ identifier: "UpdateMember" })
export type UpdateMember = typeof UpdateMember.Type

export const Invitation = Schema.Struct({
  id: InvitationId,
  email: Schema.String,
  role: MemberRole,
  invitedBy: Schema.NullOr(AccountId).pipe(described("Null: with the secret key, or by an account that is gone.")),
  expiresAt: Timestamp,
  createdAt: Timestamp
}).annotate({ identifier: "Invitation", description: "An invitation that is open." })
export type Invitation = typeof Invitation.Type

export const InvitationList = answer(Schema.Array(Invitation)).annotate({
  identifier: "InvitationList",
  description: "The invitations that are open, oldest first."
})

export const InvitationView = answer(
  Schema.Struct({
    projectName: Schema.String,
    email: Schema.String,
    role: MemberRole,
    expiresAt: Timestamp,
    hasAccount: Schema.Boolean.pipe(described("Whether the address can log in, or has to sign up."))
  })
).annotate({ identifier: "InvitationView", description: "What the holder of an invitation is told." })

export const AcceptedInvitation = answer(Schema.Struct({ projectId: ProjectId, role: MemberRole })).annotate({
  identifier: "AcceptedInvitation",
  description: "The project that the user is a member of now."
})
