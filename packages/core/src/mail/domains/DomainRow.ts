/** Columns and schemas of the table `domains`. */

import { DomainId, DomainRecord, LinkHost } from "@posthorn/contract/mail/domains/Domain"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { DomainPosition } from "./DomainStore.ts"

const Row = Schema.Struct({
  id: DomainId,
  projectId: ProjectId,
  domain: Schema.String,
  verified: Schema.Boolean,
  selector: Schema.String,
  verifiedElsewhere: Schema.Boolean,
  trusted: Schema.Boolean,
  failedChecks: Schema.Int,
  linkHost: Schema.NullOr(LinkHost),
  records: Schema.Array(DomainRecord),
  lastCheckedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  lastError: Schema.NullOr(Schema.String),
  verifiedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate,
  rsaPublicKey: Schema.String,
  ed25519PublicKey: Schema.String
})

export const domainColumns = `id, project_id as "projectId", domain, verified, selector,
  verified_elsewhere as "verifiedElsewhere", trusted, failed_checks as "failedChecks", records,
  case when link_host is not null then jsonb_build_object('host', link_host, 'status', link_status,
    'checkedAt', to_char(link_checked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'lastError', link_error) end as "linkHost",
  last_checked_at as "lastCheckedAt", last_error as "lastError", verified_at as "verifiedAt",
  created_at as "createdAt", updated_at as "updatedAt", rsa_public_key as "rsaPublicKey",
  ed25519_public_key as "ed25519PublicKey"`

export const domainRows = Schema.decodeUnknownEffect(Schema.Array(Row))
export const oneDomainRow = Schema.decodeUnknownEffect(Schema.Tuple([Row]))

/** A locked row, and whether another project has verified the name. */
const Locked = Schema.Struct({ ...Row.fields, heldElsewhere: Schema.Boolean })
export type LockedDomain = typeof Locked.Type
export const lockedRows = Schema.decodeUnknownEffect(Schema.Array(Locked))

const Keys = Schema.Struct({
  id: DomainId,
  projectId: ProjectId,
  domain: Schema.String,
  selector: Schema.String,
  rsaPublicKey: Schema.String,
  rsaPrivateKey: Schema.String,
  ed25519PublicKey: Schema.String,
  ed25519PrivateKey: Schema.String
})

export const keyColumns = `id, project_id as "projectId", domain, selector, rsa_public_key as "rsaPublicKey",
  rsa_private_key as "rsaPrivateKey", ed25519_public_key as "ed25519PublicKey",
  ed25519_private_key as "ed25519PrivateKey"`

export const keyRows = Schema.decodeUnknownEffect(Schema.Array(Keys))

/** The condition for the rows after a domain, in the order of the primary key. */
export const behind = (sql: SqlClient.SqlClient, after: DomainPosition | undefined): Statement.Fragment =>
  after === undefined ? sql`true` : sql`(project_id, id) > (${after.projectId}::uuid, ${after.id}::uuid)`
