/** Statements about members and invitations. `Members` checks the rules. */

import {
  type ActiveMember,
  type Invitation,
  InvitationId,
  InvitationKind
} from "@posthorn/contract/accounts/members/Member"
import { AccountId, MemberRole, ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"

const roles = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ role: MemberRole })))
const members = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      userId: AccountId,
      email: Schema.String,
      role: MemberRole,
      status: Schema.Literal("ACTIVE"),
      createdAt: Schema.DateTimeUtcFromDate
    })
  )
)
const invitation = {
  id: InvitationId,
  kind: InvitationKind,
  email: Schema.String,
  role: MemberRole,
  invitedBy: Schema.NullOr(AccountId),
  expiresAt: Schema.DateTimeUtcFromDate,
  createdAt: Schema.DateTimeUtcFromDate
}
const invitations = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct(invitation)))
const Held = Schema.Struct({ ...invitation, project: ProjectId, projectName: Schema.String })
const held = Schema.decodeUnknownEffect(Schema.Array(Held))

/** An invitation as its holder sees it. */
export type HeldInvitation = typeof Held.Type

export interface MemberStore {
  /**
   * Locks the project until the transaction ends, so that its members change one at a time. A transaction that also
   * locks an account locks the account first.
   */
  readonly lock: (project: ProjectId) => Effect.Effect<void>
  /** None also while the project is being deleted. */
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

const columns = `invitations.id, kind, email, role, invited_by as "invitedBy", expires_at as "expiresAt",
  invitations.created_at as "createdAt"`

export const make: Effect.Effect<MemberStore, never, SqlClient.SqlClient> = Effect.map(SqlClient.SqlClient, (sql) => {
  const audit = audited(sql)
  const all = sql.literal(columns)
  const heldAnd = sql.literal('invitations.project_id as project, projects.name as "projectName"')
  const removeInvitation = (project: ProjectId, id: InvitationId) =>
    sql`delete from invitations where project_id = ${project} and id = ${id} returning id`.pipe(
      Effect.map(Array.isReadonlyArrayNonEmpty),
      Effect.orDie
    )

  return {
    lock: (project) => sql`select 1 from projects where id = ${project} for update`.pipe(Effect.asVoid, Effect.orDie),
    role: (project, user) =>
      sql`select role from members where project_id = ${project} and user_id = ${user}`.pipe(
        Effect.flatMap(roles),
        Effect.map((found) => Array.head(found.map(({ role }) => role))),
        Effect.orDie
      ),
    members: (project) =>
      sql`
          select user_id as "userId", email, role, 'ACTIVE' as status, members.created_at as "createdAt"
          from members join users on users.id = user_id
          where project_id = ${project} order by members.created_at, user_id`.pipe(
        Effect.flatMap(members),
        Effect.orDie
      ),
    invitations: (project, now) =>
      sql`
          select ${all} from invitations where project_id = ${project} and expires_at > ${DateTime.toDate(now)}
          order by created_at, id`.pipe(Effect.flatMap(invitations), Effect.orDie),
    add: (project, user, role, now) =>
      audit(
        sql`
            insert into members (project_id, user_id, role, created_at)
            values (${project}, ${user}, ${role}, ${DateTime.toDate(now)})`.pipe(Effect.asVoid, Effect.orDie),
        () => ({ project, action: "member.added", details: { userId: user, role } })
      ),
    setRole: (project, user, role) =>
      audit(
        sql`update members set role = ${role} where project_id = ${project} and user_id = ${user}`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
        () => ({ project, action: "member.role_changed", details: { userId: user, role } })
      ),
    remove: (project, user) =>
      audit(
        sql`delete from members where project_id = ${project} and user_id = ${user}`.pipe(Effect.asVoid, Effect.orDie),
        () => ({ project, action: "member.removed", details: { userId: user } })
      ),
    invite: (project, { id, kind, email, role, invitedBy, expiresAt, tokenHash }, now) =>
      audit(
        sql`
          insert into invitations (project_id, id, kind, email, role, token_hash, invited_by, expires_at, created_at)
          values (${project}, ${id}, ${kind}, ${email}, ${role}, ${tokenHash}, ${invitedBy},
                  ${DateTime.toDate(expiresAt)}, ${DateTime.toDate(now)})
          on conflict (project_id, email) do update
            set id = excluded.id, kind = excluded.kind, role = excluded.role, token_hash = excluded.token_hash,
                invited_by = excluded.invited_by, expires_at = excluded.expires_at, created_at = excluded.created_at`.pipe(
          (insert) =>
            kind === "OWNERSHIP"
              ? Effect.andThen(
                  sql`delete from invitations where project_id = ${project} and kind = 'OWNERSHIP'`,
                  insert
                )
              : insert,
          Effect.asVoid,
          Effect.orDie
        ),
        () => ({ project, action: "member.invited", details: { invitationId: id, role } })
      ),
    held: (tokenHash, now) =>
      sql`
          select ${heldAnd}, ${all} from invitations join projects on projects.id = project_id
          where token_hash = ${tokenHash} and expires_at > ${DateTime.toDate(now)}`.pipe(
        Effect.flatMap(held),
        Effect.map(Array.head),
        Effect.orDie
      ),
    heldBy: (email, now) =>
      sql`
          select ${heldAnd}, ${all} from invitations join projects on projects.id = project_id
          where email = ${email} and expires_at > ${DateTime.toDate(now)} order by invitations.created_at, invitations.id`.pipe(
        Effect.flatMap(held),
        Effect.orDie
      ),
    useInvitation: removeInvitation,
    withdrawInvitation: (project, id) =>
      audit(removeInvitation(project, id), (removed) =>
        removed ? { project, action: "member.uninvited", details: { invitationId: id } } : undefined
      ),
    declineInvitation: (project, id) =>
      audit(removeInvitation(project, id), (removed) =>
        removed ? { project, action: "member.declined", details: { invitationId: id } } : undefined
      ),
    sweep: (now) =>
      sql`delete from invitations where expires_at <= ${DateTime.toDate(now)}`.pipe(Effect.asVoid, Effect.orDie)
  }
})
