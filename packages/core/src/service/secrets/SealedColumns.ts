/**
 * Every column with texts that `SecretBox` has sealed. Add each new column here. A change of the installation's secret
 * then renews it, and `posthorn secrets status` counts it.
 */

export interface SealedColumn {
  readonly table: string
  /** Contains one sealed text, or null. */
  readonly column: string
  /** The key of a row within the table, in the order in which rows are renewed. */
  readonly key: string
  readonly purpose: string
  /** Owner of the sealed text, as SQL over the row. Part of the label that `SecretBox` was given. */
  readonly owner: string
  /** A name of the content, for display. */
  readonly what: string
}

export const sealedColumns: ReadonlyArray<SealedColumn> = [
  {
    table: "domains",
    column: "rsa_private_key",
    key: "id",
    purpose: "dkim",
    owner: "id || '/rsa'",
    what: "RSA keys of sender domains"
  },
  {
    table: "domains",
    column: "ed25519_private_key",
    key: "id",
    purpose: "dkim",
    owner: "id || '/ed25519'",
    what: "Ed25519 keys of sender domains"
  },
  {
    table: "webhook_endpoints",
    column: "secret",
    key: "id",
    purpose: "webhook",
    owner: "id",
    what: "signing secrets of webhooks"
  },
  {
    table: "webhook_endpoints",
    column: "previous_secret",
    key: "id",
    purpose: "webhook",
    owner: "id",
    what: "signing secrets of webhooks before their rotation"
  },
  {
    table: "transports",
    column: "password",
    key: "id",
    purpose: "transport",
    owner: "id || '/password'",
    what: "passwords of transports"
  },
  {
    table: "transports",
    column: "notification_secret",
    key: "id",
    purpose: "transport",
    owner: "id || '/notifications'",
    what: "notification secrets of transports"
  },
  {
    table: "workflow_secrets",
    column: "secret",
    key: "project_id",
    purpose: "workflow-signing",
    owner: "project_id",
    what: "signing secrets of workflows"
  },
  {
    table: "workflow_secrets",
    column: "previous",
    key: "project_id",
    purpose: "workflow-signing",
    owner: "project_id",
    what: "signing secrets of workflows before their rotation"
  },
  {
    table: "system_mails",
    column: "link",
    key: "id",
    purpose: "letter",
    owner: "recipient",
    what: "links of waiting mail of the service"
  },
  {
    table: "totp_secrets",
    column: "secret",
    key: "user_id",
    purpose: "totp",
    owner: "user_id",
    what: "secrets of authenticator apps"
  },
  { table: "erasure_keys", column: "key", key: "id", purpose: "erasure", owner: "id", what: "keys of erased addresses" }
]
