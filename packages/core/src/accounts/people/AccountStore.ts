/** Storage port of accounts and their memberships. */

import type { AccountKind } from "@posthorn/contract/accounts/people/Account"
import { AccountId, type MemberRole, type ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"

export { AccountId }

export interface Account {
  readonly id: AccountId
  /** In canonical form. */
  readonly email: string
  readonly emailVerified: boolean
  readonly type: AccountKind
  readonly createdAt: DateTime.Utc
}

/** The values that logins and sessions of the account are checked against. */
export interface Credentials {
  readonly account: Account
  /** Null: the account has no password. */
  readonly passwordHash: string | null
  readonly sessionVersion: number
}

export interface Membership {
  readonly project: ProjectId
  readonly role: MemberRole
}

/** A port: the storage of accounts, for sign-in and for operators. `now` is the clock of the service. */
export class AccountStore extends Context.Service<
  AccountStore,
  {
    /** None when the address has an account. */
    readonly insert: (
      account: Omit<Account, "createdAt"> & { readonly passwordHash: string | null },
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Account>>
    /** As `insert`, but only when there are no accounts. Of concurrent calls, one inserts. */
    readonly insertFirst: (
      account: Omit<Account, "createdAt"> & { readonly passwordHash: string | null },
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Account>>
    readonly hasAny: Effect.Effect<boolean>
    /**
     * The account of an address that a provider or an emailed link has verified. Confirms the address. If the address
     * was not confirmed before, the account loses its password and sessions, since anyone could have created it.
     */
    readonly adopt: (
      email: string,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<{ readonly id: AccountId; readonly sessionVersion: number }>>
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<Account>>
    readonly find: (account: AccountId) => Effect.Effect<Option.Option<Account>>
    /** By address or id. */
    readonly credentials: (
      of: { readonly email: string } | { readonly id: AccountId }
    ) => Effect.Effect<Option.Option<Credentials>>
    /**
     * Stores the same password with stronger hash parameters. No session ends. Does nothing when the hash is no longer
     * `before`.
     */
    readonly rehash: (account: AccountId, before: string, hash: string) => Effect.Effect<void>
    /** The network that the account was created from. */
    readonly setOrigin: (account: AccountId, network: string) => Effect.Effect<void>
    /**
     * None when the account does not exist. Null when it was created without a network, or before networks were stored.
     */
    readonly origin: (account: AccountId) => Effect.Effect<Option.Option<string | null>>
    /** Confirms the address. False when the account does not exist. */
    readonly verifyEmail: (account: AccountId, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Ends every session of the account. */
    readonly endSessions: (account: AccountId, now: DateTime.Utc) => Effect.Effect<void>
    /** Locks the account until the transaction ends. None when the account does not exist. */
    readonly lock: (account: AccountId) => Effect.Effect<Option.Option<Account>>
    /** Deletes the account and the ownership offers to it. False while it owns a project. */
    readonly remove: (account: AccountId) => Effect.Effect<boolean>
    /** None when the account does not exist or has no password. */
    readonly passwordHash: (account: AccountId) => Effect.Effect<Option.Option<string>>
    /** Also ends every session of the account. True when the account exists. */
    readonly setPasswordHash: (account: AccountId, hash: string, now: DateTime.Utc) => Effect.Effect<boolean>
    /**
     * Makes the account a member. The caller has checked that both exist, and that the project keeps at most one OWNER.
     */
    readonly join: (account: AccountId, membership: Membership, now: DateTime.Utc) => Effect.Effect<void>
    /** Addresses of a project's OWNER and ADMINs, the OWNER first. */
    readonly administrators: (project: ProjectId) => Effect.Effect<ReadonlyArray<string>>
    /** In the order of joining. */
    readonly memberships: (account: AccountId) => Effect.Effect<ReadonlyArray<Membership>>
  }
>()("@posthorn/core/accounts/people/AccountStore") {}
