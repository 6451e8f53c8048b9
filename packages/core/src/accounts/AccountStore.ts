/** Where accounts live, and which projects are theirs. */

import { AccountId, type MemberRole, type ProjectId } from "@posthorn/contract/Auth"
import type { AccountKind } from "@posthorn/contract/accounts/Account"
import { Context, type DateTime, type Effect, type Option } from "effect"

export { AccountId }

/** A person who may sign in. */
export interface Account {
  readonly id: AccountId
  /** In its stored form. */
  readonly email: string
  readonly emailVerified: boolean
  readonly type: AccountKind
  readonly createdAt: DateTime.Utc
}

/** What a login is checked against, and what a session of the account carries. */
export interface Credentials {
  readonly account: Account
  /** Null: signs in another way. */
  readonly passwordHash: string | null
  readonly sessionVersion: number
}

export interface Membership {
  readonly project: ProjectId
  readonly role: MemberRole
}

/** Storage port of accounts. `now` is the clock of the service. */
export class AccountStore extends Context.Service<
  AccountStore,
  {
    /** None when the address has an account already. */
    readonly insert: (
      account: Omit<Account, "createdAt"> & { readonly passwordHash: string | null },
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Account>>
    /**
     * The account of an address whose owner is known by other means than a password. Its address is confirmed by it; if
     * it was not before, password and sessions of whoever made the account end.
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
    /** The same password, hashed with higher parameters: no session ends. Nothing when the hash is no longer `before`. */
    readonly rehash: (account: AccountId, before: string, hash: string) => Effect.Effect<void>
    /** Confirms the address; false when there is no such account. */
    readonly verifyEmail: (account: AccountId, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Ends every session of the account. */
    readonly endSessions: (account: AccountId, now: DateTime.Utc) => Effect.Effect<void>
    /** Holds the account until the transaction ends. */
    readonly lock: (account: AccountId) => Effect.Effect<void>
    /** Deletes the account; false while it owns a project. */
    readonly remove: (account: AccountId) => Effect.Effect<boolean>
    /** None when the account is not there, or signs in another way. */
    readonly passwordHash: (account: AccountId) => Effect.Effect<Option.Option<string>>
    /** Ends every session of the account too. True when the account exists. */
    readonly setPasswordHash: (account: AccountId, hash: string, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Makes the account a member. The caller has seen to it that both exist, and that no project gets a second OWNER. */
    readonly join: (account: AccountId, membership: Membership, now: DateTime.Utc) => Effect.Effect<void>
    /** Addresses of a project's OWNER and ADMINs, the OWNER first. */
    readonly administrators: (project: ProjectId) => Effect.Effect<ReadonlyArray<string>>
    /** In the order of joining. */
    readonly memberships: (account: AccountId) => Effect.Effect<ReadonlyArray<Membership>>
  }
>()("@posthorn/core/accounts/AccountStore") {}
