/** Where members and invitations live. */

import type { AccountId, MemberRole, ProjectId } from "@posthorn/contract/Auth"
import type { ActiveMember, Invitation, InvitationId } from "@posthorn/contract/members/Member"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** An invitation as its holder finds it. */
export interface HeldInvitation {
  readonly project: ProjectId
  readonly projectName: string
  readonly id: InvitationId
  readonly email: string
  readonly role: MemberRole
  readonly expiresAt: DateTime.Utc
}

export class MemberStore extends Context.Service<
  MemberStore,
  {
    /** Holds the project until the transaction ends: its members change one at a time. */
    readonly lock: (project: ProjectId) => Effect.Effect<void>
    /** None also for a project that is being deleted. */
    readonly role: (project: ProjectId, user: AccountId) => Effect.Effect<Option.Option<MemberRole>>
    /** Oldest first. */
    readonly members: (project: ProjectId) => Effect.Effect<ReadonlyArray<ActiveMember>>
    /** Those that are still good, oldest first. */
    readonly invitations: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Invitation>>
    readonly add: (project: ProjectId, user: AccountId, role: MemberRole, now: DateTime.Utc) => Effect.Effect<void>
    readonly setRole: (project: ProjectId, user: AccountId, role: MemberRole) => Effect.Effect<void>
    readonly remove: (project: ProjectId, user: AccountId) => Effect.Effect<void>
    /** An open invitation to the address is replaced by it. */
    readonly invite: (
      project: ProjectId,
      invitation: Omit<Invitation, "createdAt"> & { readonly tokenHash: string },
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly held: (tokenHash: string, now: DateTime.Utc) => Effect.Effect<Option.Option<HeldInvitation>>
    /** Uses the invitation up; of many calls at once one gets true. */
    readonly useInvitation: (project: ProjectId, id: InvitationId) => Effect.Effect<boolean>
    readonly withdrawInvitation: (project: ProjectId, id: InvitationId) => Effect.Effect<boolean>
    readonly removeInvitationOf: (project: ProjectId, email: string) => Effect.Effect<void>
    readonly sweep: (now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/members/MemberStore") {}
