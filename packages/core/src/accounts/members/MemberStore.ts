/** Storage port of members and invitations. */

import type { ActiveMember, Invitation, InvitationId, InvitationKind } from "@posthorn/contract/accounts/members/Member"
import type { AccountId, MemberRole, ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** An invitation as its holder sees it. */
export interface HeldInvitation {
  readonly project: ProjectId
  readonly projectName: string
  readonly id: InvitationId
  readonly kind: InvitationKind
  readonly email: string
  readonly role: MemberRole
  readonly invitedBy: AccountId | null
  readonly expiresAt: DateTime.Utc
  readonly createdAt: DateTime.Utc
}

export class MemberStore extends Context.Service<
  MemberStore,
  {
    /**
     * Locks the project until the transaction ends, so that its members change one at a time. A transaction that also
     * locks an account locks the account first.
     */
    readonly lock: (project: ProjectId) => Effect.Effect<void>
    /** None also for a project that is being deleted. */
    readonly role: (project: ProjectId, user: AccountId) => Effect.Effect<Option.Option<MemberRole>>
    /** Oldest first. */
    readonly members: (project: ProjectId) => Effect.Effect<ReadonlyArray<ActiveMember>>
    /** Invitations that have not expired, oldest first. */
    readonly invitations: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Invitation>>
    readonly add: (project: ProjectId, user: AccountId, role: MemberRole, now: DateTime.Utc) => Effect.Effect<void>
    readonly setRole: (project: ProjectId, user: AccountId, role: MemberRole) => Effect.Effect<void>
    readonly remove: (project: ProjectId, user: AccountId) => Effect.Effect<void>
    /** Replaces an open invitation to the same address, and an open offer of the ownership to another member. */
    readonly invite: (
      project: ProjectId,
      invitation: Omit<Invitation, "createdAt"> & { readonly tokenHash: string },
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly held: (tokenHash: string, now: DateTime.Utc) => Effect.Effect<Option.Option<HeldInvitation>>
    /** Unexpired invitations to an address, oldest first. */
    readonly heldBy: (email: string, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<HeldInvitation>>
    /** Uses up the invitation. Of concurrent calls, one gets true. */
    readonly useInvitation: (project: ProjectId, id: InvitationId) => Effect.Effect<boolean>
    readonly withdrawInvitation: (project: ProjectId, id: InvitationId) => Effect.Effect<boolean>
    /** As `useInvitation`, called by the invited person. */
    readonly declineInvitation: (project: ProjectId, id: InvitationId) => Effect.Effect<boolean>
    readonly sweep: (now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/accounts/members/MemberStore") {}
