/** Where accounts live, and which projects are theirs. */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Context, type DateTime, type Effect, type Option, Schema } from "effect"

export const AccountId = Schema.String.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** The roles of a member, from the highest (contract-2 11.1). */
export const roles = ["OWNER", "ADMIN", "MEMBER"] as const
export type MemberRole = (typeof roles)[number]

/** A person who may sign in. */
export interface Account {
  readonly id: AccountId
  /** In its stored form. */
  readonly email: string
  readonly emailVerified: boolean
  readonly createdAt: DateTime.Utc
}

export interface Membership {
  readonly project: ProjectId
  readonly role: MemberRole
}

export class AccountStore extends Context.Service<
  AccountStore,
  {
    /** None when the address has an account already. */
    readonly insert: (
      account: Pick<Account, "id" | "email" | "emailVerified"> & { readonly passwordHash: string },
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Account>>
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<Account>>
    /** None when the account is not there, or signs in another way. */
    readonly passwordHash: (account: AccountId) => Effect.Effect<Option.Option<string>>
    /** Ends every session of the account too. True when the account exists. */
    readonly setPasswordHash: (account: AccountId, hash: string, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Both exist, and the project has no other owner. */
    readonly join: (account: AccountId, membership: Membership, now: DateTime.Utc) => Effect.Effect<void>
    /** Addresses of a project's OWNER and ADMINs, in the order of joining. */
    readonly administrators: (project: ProjectId) => Effect.Effect<ReadonlyArray<string>>
    /** In the order of joining. */
    readonly memberships: (account: AccountId) => Effect.Effect<ReadonlyArray<Membership>>
  }
>()("@posthorn/core/accounts/AccountStore") {}
