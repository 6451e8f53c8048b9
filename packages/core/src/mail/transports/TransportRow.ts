/** A row of `transports`. */

import {
  CheckedTransport,
  type Transport,
  TransportId,
  TransportTls
} from "@posthorn/contract/mail/transports/Transport"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Schema } from "effect"

const nullable = Schema.NullOr(Schema.String)
const moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

/** A transport as stored, with its sealed secrets. */
export const StoredTransport = Schema.Struct({
  id: TransportId,
  projectId: ProjectId,
  name: Schema.String,
  host: Schema.String,
  port: Schema.Int,
  tls: TransportTls,
  user: nullable,
  password: nullable,
  pool: Schema.Int,
  enabled: Schema.Boolean,
  snsTopicArns: Schema.Array(Schema.String),
  notificationSecret: nullable,
  revision: Schema.Int,
  status: Schema.Literals(["OK", "FAILING"]),
  failures: Schema.Int,
  lastError: nullable,
  failingSince: moment,
  lastUsedAt: moment,
  checkedAt: moment,
  checked: Schema.NullOr(CheckedTransport),
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})
export type StoredTransport = typeof StoredTransport.Type

export const transportColumns = `id, project_id as "projectId", name, host, port, tls, username as "user", password, pool,
  enabled, sns_topic_arns as "snsTopicArns", notification_secret as "notificationSecret", revision, status, failures,
  last_error as "lastError", failing_since as "failingSince", last_used_at as "lastUsedAt", checked_at as "checkedAt",
  checked, created_at as "createdAt", updated_at as "updatedAt"`

export const transportRows = Schema.decodeUnknownEffect(Schema.Array(StoredTransport))

/** The record that callers see. */
export const shownTransport = ({
  password,
  notificationSecret,
  revision: _,
  failures: __,
  checkedAt: ___,
  checked: ____,
  ...transport
}: StoredTransport): Transport => ({
  ...transport,
  hasPassword: password !== null,
  hasNotificationSecret: notificationSecret !== null
})
