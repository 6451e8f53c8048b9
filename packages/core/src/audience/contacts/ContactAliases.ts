/** Further ids of contacts, in PostgreSQL or PGlite. */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** The most ids of a contact. Older ones go, and those of the public key before those of a server. */
export const maxAliases = 100

/** Whose ids count: those that a server made, or those of the public key too. */
export type Trust = "verified" | "any"

/** An id and the contact that it finds. */
export interface ContactAlias {
  readonly alias: string
  readonly contactId: ContactId
}

/** An id as it is stored. */
export interface StoredAlias {
  readonly alias: string
  readonly verified: boolean
  readonly createdAt: DateTime.Utc
}

/** Each method is one statement and takes the project id first. */
export interface ContactAliases {
  /** Each id once: an id of a server comes before the same id of the public key. */
  readonly find: (
    project: ProjectId,
    ids: ReadonlyArray<string>,
    trust: Trust
  ) => Effect.Effect<ReadonlyArray<ContactAlias>>
  /** Those of one contact, oldest first. */
  readonly of: (project: ProjectId, contact: ContactId) => Effect.Effect<ReadonlyArray<StoredAlias>>
  /** Returns those that are new. An id that already finds a contact stays with it. Joins the caller's transaction. */
  readonly add: (
    project: ProjectId,
    aliases: ReadonlyArray<ContactAlias>,
    verified: boolean,
    now: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<string>>
}

const storedRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ alias: Schema.String, verified: Schema.Boolean, createdAt: Schema.DateTimeUtcFromDate }))
)
const aliases = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ alias: Schema.String, contactId: ContactId })))

export const make: Effect.Effect<ContactAliases, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql): ContactAliases => ({
    find: (project, ids, trust) =>
      ids.length === 0
        ? Effect.succeed([])
        : sql`
          select distinct on (alias) alias, contact_id as "contactId" from contact_aliases
          where project_id = ${project} and alias = any(${ids}::text[])
            ${trust === "verified" ? sql`and verified` : sql``}
          order by alias, verified desc`.pipe(Effect.flatMap(aliases), Effect.orDie),
    of: (project, contact) =>
      sql`
        select alias, verified, created_at as "createdAt" from contact_aliases
        where project_id = ${project} and contact_id = ${contact} order by created_at, alias, verified`.pipe(
        Effect.flatMap(storedRows),
        Effect.orDie
      ),
    add: Effect.fn("ContactAliases.add")(function* (project, given, verified, now) {
      if (given.length === 0) return []
      const at = DateTime.toDate(now)
      const added = yield* aliases(
        yield* sql`
          insert into contact_aliases (project_id, alias, verified, contact_id, created_at)
          select ${project}::uuid, alias, ${verified}::boolean, contact_id, ${at}::timestamptz
          from unnest(${given.map(({ alias }) => alias)}::text[], ${given.map(({ contactId }) => contactId)}::uuid[])
            as given(alias, contact_id)
          order by alias
          on conflict do nothing returning alias, contact_id as "contactId"`
      )
      if (added.length === 0) return []
      yield* sql`
        delete from contact_aliases where project_id = ${project} and (alias, verified) in (
          select alias, verified from unnest(${[...new Set(added.map(({ contactId }) => contactId))]}::uuid[]) as given(id)
          cross join lateral (
            select alias, verified from contact_aliases
            where project_id = ${project} and contact_id = given.id
            order by verified desc, created_at desc, alias offset ${maxAliases}::int
          ) as older
        )`
      return added.map(({ alias }) => alias)
    }, Effect.orDie)
  })
)
