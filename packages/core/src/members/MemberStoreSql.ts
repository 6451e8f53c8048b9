/** Members and invitations in PostgreSQL, served or embedded. */
import { AccountId, MemberRole, ProjectId } from "@posthorn/contract/Auth"
import { InvitationId } from "@posthorn/contract/members/Member"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../audit/Audited.ts"
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
const invitations = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: InvitationId,
      email: Schema.String,
      role: MemberRole,
      invitedBy: Schema.NullOr(AccountId),
      expiresAt: Schema.DateTimeUtcFromDate,
      createdAt: Schema.DateTimeUtcFromDate
    })
  )
)
const held = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      projectName: Schema.String,
      id: InvitationId,
      email: Schema.String,
      role: MemberRole,
      expiresAt: Schema.DateTimeUtcFromDate
    })
  )
)

export const layer: Layer.Layer<MemberStore, never, SqlClient.SqlClient> = Layer.effect(
  MemberStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const audit = audited(sql)
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
          select id, email, role, invited_by as "invitedBy", expires_at as "expiresAt", created_at as "createdAt"
          from invitations where project_id = ${project} and expires_at > ${DateTime.toDate(now)}
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
      invite: (project, { id, email, role, invitedBy, expiresAt, tokenHash }, now) =>
        audit(
          sql`
          insert into invitations (project_id, id, email, role, token_hash, invited_by, expires_at, created_at)
          values (${project}, ${id}, ${email}, ${role}, ${tokenHash}, ${invitedBy}, ${DateTime.toDate(expiresAt)},
                  ${DateTime.toDate(now)})
          on conflict (project_id, email) do update
            set id = excluded.id, role = excluded.role, token_hash = excluded.token_hash,
                invited_by = excluded.invited_by, expires_at = excluded.expires_at, created_at = excluded.created_at`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
          () => ({ project, action: "member.invited", details: { invitationId: id, role } })
        ),
      held: (tokenHash, now) =>
        sql`
          select project_id as project, projects.name as "projectName", invitations.id, email, role,
                 expires_at as "expiresAt"
          from invitations join projects on projects.id = project_id
          where token_hash = ${tokenHash} and expires_at > ${DateTime.toDate(now)}`.pipe(
          Effect.flatMap(held),
          Effect.map(Array.head),
          Effect.orDie
        ),
      useInvitation: removeInvitation,
      withdrawInvitation: (project, id) =>
        audit(removeInvitation(project, id), (removed) =>
          removed ? { project, action: "member.uninvited", details: { invitationId: id } } : undefined
        ),
      removeInvitationOf: (project, email) =>
        sql`delete from invitations where project_id = ${project} and email = ${email}`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      sweep: (now) =>
        sql`delete from invitations where expires_at <= ${DateTime.toDate(now)}`.pipe(Effect.asVoid, Effect.orDie)
    })
  })
)
