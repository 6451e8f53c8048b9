/** Storage port of API keys. */
import type { ApiKey, ApiKeyId, KeyMode } from "@posthorn/contract/accounts/keys/ApiKey"
import type { AccountId, ApiKeyHolder, ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ProjectStanding } from "./ProjectStore.ts"

/** A key in stored form. */
export interface StoredKey {
  /** SHA-256, hexadecimal. */
  readonly hash: string
  readonly hint: string
}

/** The fields that a request sets. */
export interface KeySettings {
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly senderDomains: ReadonlyArray<string>
  readonly ipRanges: ReadonlyArray<string>
  readonly rateLimitPerMinute: number | null
  readonly expiresAt: DateTime.Utc | null
}

export interface NewApiKey extends KeySettings, StoredKey {
  readonly id: ApiKeyId
  readonly mode: KeyMode
  /** The member who creates it. Null: the secret key, or a host. */
  readonly createdBy: AccountId | null
}

/** What every request with the key needs. */
export interface HeldKey extends ApiKeyHolder {
  readonly ipRanges: ReadonlyArray<string>
  readonly rateLimitPerMinute: number | null
  readonly expiresAt: DateTime.Utc | null
  /** The end of a key that was replaced. Null for the current one. */
  readonly replacedUntil: DateTime.Utc | null
  readonly lastUsedAt: DateTime.Utc | null
}

export type Via = "HTTP" | "SMTP"

/** A key whose expiry causes an email or an audit entry. */
export interface ExpiringKey {
  readonly project: ProjectId
  readonly id: ApiKeyId
  readonly name: string
  readonly mode: KeyMode
  readonly scopes: ReadonlyArray<string>
  readonly hint: string
  readonly expiresAt: DateTime.Utc
}

/** A port: a host may store keys elsewhere. The lookup by hash, and the statements of jobs, name no project. */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /** The number of keys of the project. Until the caller's transaction ends, no other transaction adds one. */
    readonly lockCount: (project: ProjectId) => Effect.Effect<number>
    /** Records the audit entry too, as do all changes here. */
    readonly insert: (project: ProjectId, key: NewApiKey, now: DateTime.Utc) => Effect.Effect<ApiKey>
    /** Newest first. */
    readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<ApiKey>>
    readonly find: (project: ProjectId, id: ApiKeyId) => Effect.Effect<Option.Option<ApiKey>>
    /** The settings to change. An absent one stays. */
    readonly update: (
      project: ProjectId,
      id: ApiKeyId,
      change: Partial<KeySettings>,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<ApiKey>>
    /** The replaced key is accepted until that time, and the one before it no longer. Null: neither is. */
    readonly rotate: (
      project: ProjectId,
      id: ApiKeyId,
      key: StoredKey,
      previousValidUntil: DateTime.Utc | null,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<ApiKey>>
    readonly delete: (project: ProjectId, id: ApiKeyId) => Effect.Effect<boolean>
    /** Also finds keys that have ended. None if their project is being deleted. */
    readonly findByHash: (hash: string) => Effect.Effect<Option.Option<ProjectStanding & { readonly apiKey: HeldKey }>>
    /** Records a use, unless one was recorded since that time. */
    readonly used: (
      project: ProjectId,
      id: string,
      via: Via,
      since: DateTime.Utc,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Keys that expire after `now` and until that time, and that no email has announced. Marks them. */
    readonly takeExpiring: (until: DateTime.Utc, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<ExpiringKey>>
    /** Records `api_key.expired` once for each expiry that has passed. */
    readonly recordExpired: (now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/accounts/projects/ApiKeyStore") {}
