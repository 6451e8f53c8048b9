/** Members and invitations in PostgreSQL, served or embedded. */

import { InvitationId, InvitationKind } from "@posthorn/contract/accounts/members/Member"
import { AccountId, MemberRole, ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"
import { MemberStore } from "./MemberStore.ts"

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
const held = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...invitation, project: ProjectId, projectName: Schema.String }))
)

const columns = `invitations.id, kind, email, role, invited_by as "invitedBy", expires_at as "expiresAt",
  invitations.created_at as "createdAt"`

export const layer: Layer.Layer<MemberStore, never, SqlClient.SqlClient> = Layer.effect(
  MemberStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const audit = audited(sql)
    const all = sql.literal(columns)
    const heldAnd = sql.literal('invitations.project_id as project, projects.name as "projectName"')
    const removeInvitation = (project: ProjectId, id: InvitationId) =>
      sql`delete from invitations where project_id = ${project} and id = ${id} returning id`.pipe(
        Effect.map(Array.isReadonlyArrayNonEmpty),
        Effect.orDie
      )

    return MemberStore.of({
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
          sql`delete from members where project_id = ${project} and user_id = ${user}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
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
    })
  })
)
