/** Accounts, for hosts and operators. */

import { passwordLength } from "@posthorn/contract/accounts/people/Account"
import { ProjectName } from "@posthorn/contract/accounts/projects/Project"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { EmailAddress } from "@posthorn/contract/platform/Primitives"
import { Context, Data, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Transaction } from "../../platform/Transaction.ts"
import type { StoredProject } from "../projects/Project.ts"
import { type Keys, Projects } from "../projects/Projects.ts"
import { type Account, AccountId, AccountStore } from "./AccountStore.ts"
import { PasswordHash } from "./PasswordHash.ts"

export interface NewAccount {
  /** Any spelling. The canonical one is stored. */
  readonly email: string
  /** 8 to 200 characters. */
  readonly password: Redacted.Redacted<string>
  /** Name of the first project, which the account owns. */
  readonly projectName: string
}

/** Most projects that one account owns. */
export const mostOwned = 50

/** The values cannot make an account. `message` is one sentence and contains no password. */
export class InvalidAccount extends Data.TaggedError("InvalidAccount")<{
  readonly field: "email" | "password" | "projectName"
  readonly message: string
}> {}

/** The address has an account already. */
export class AccountExists extends Data.TaggedError("AccountExists")<{ readonly email: string }> {
  override readonly message = `${this.email} has an account already.`
}

/** A service: hosts, operators and other areas call it. */
export class Accounts extends Context.Service<
  Accounts,
  {
    /**
     * Creates the account and its first project, both or neither. Returns the project's keys; they cannot be read
     * later.
     */
    readonly create: (
      account: NewAccount
    ) => Effect.Effect<
      { readonly account: Account; readonly project: StoredProject; readonly keys: Keys },
      AccountExists | InvalidAccount
    >
    /** Creates another project, which the account owns. */
    readonly createProject: (
      account: AccountId,
      name: string
    ) => Effect.Effect<{ readonly project: StoredProject; readonly keys: Keys }, InvalidAccount>
    /**
     * As `createProject`, for a name that was already checked. `check` decides whether the account may have another
     * project. It runs under a lock of the account, so that each of several concurrent requests sees the projects of
     * those before it.
     */
    readonly createProjectIf: <E>(
      account: AccountId,
      name: string,
      check: Effect.Effect<void, E>
    ) => Effect.Effect<{ readonly project: StoredProject; readonly keys: Keys }, E>
    /** Locks the account until the caller's transaction ends. None when the account does not exist. */
    readonly lock: (account: AccountId) => Effect.Effect<Option.Option<Account>>
    /** Takes an address in any spelling. */
    readonly find: (email: string) => Effect.Effect<Option.Option<Account>>
    /** Projects that the account owns, in the order of joining. */
    readonly ownedProjects: (account: AccountId) => Effect.Effect<ReadonlyArray<ProjectId>>
    /** Addresses of a project's OWNER and ADMINs, the OWNER first. */
    readonly administrators: (project: ProjectId) => Effect.Effect<ReadonlyArray<string>>
    /** Confirms the address. */
    readonly verifyEmail: (account: AccountId) => Effect.Effect<void>
    /** False also for an account without a password. */
    readonly checkPassword: (account: AccountId, password: Redacted.Redacted<string>) => Effect.Effect<boolean>
    /** Replaces the password and ends every session. */
    readonly setPassword: (
      account: AccountId,
      password: Redacted.Redacted<string>
    ) => Effect.Effect<void, InvalidAccount>
  }
>()("@posthorn/core/accounts/people/Accounts") {}

const decodeEmail = Schema.decodeUnknownOption(EmailAddress)
const decodeProjectName = Schema.decodeUnknownOption(ProjectName)

const acceptable = (password: Redacted.Redacted<string>) => {
  const length = [...Redacted.value(password).normalize("NFC")].length
  const { min, max } = passwordLength
  return length >= min && length <= max
    ? Effect.void
    : new InvalidAccount({
        field: "password",
        message: `The password has ${length} characters; it may have ${min} to ${max}.`
      })
}

export const layer: Layer.Layer<
  Accounts,
  never,
  AccountStore | PasswordHash | Projects | SecureRandom.SecureRandom | Transaction
> = Layer.effect(
  Accounts,
  Effect.gen(function* () {
    const store = yield* AccountStore
    const passwords = yield* PasswordHash
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction

    const nameOf = Effect.fnUntraced(function* (projectName: string) {
      const name = decodeProjectName(projectName)
      if (Option.isSome(name)) return name.value
      const message = "The name of the project may have 1 to 100 characters on one line."
      return yield* new InvalidAccount({ field: "projectName", message })
    })

    const addProject = Effect.fnUntraced(function* (account: AccountId, name: string) {
      const { project, keys } = yield* projects.create(name)
      yield* store.join(account, { project: project.id, role: "OWNER" }, yield* DateTime.now)
      return { project, keys }
    })

    const create = Effect.fn("Accounts.create")(function* ({ email: given, password, projectName }: NewAccount) {
      const email = decodeEmail(given)
      if (Option.isNone(email)) {
        return yield* new InvalidAccount({ field: "email", message: "The email address is not valid." })
      }
      const name = yield* nameOf(projectName)
      yield* acceptable(password)
      // Hashed before the transaction: hashing takes long and must not hold a connection.
      const passwordHash = yield* passwords.hash(password)
      const id = AccountId.make(yield* random.uuidV7())
      const row = { id, email: email.value, emailVerified: true, type: "PASSWORD" as const, passwordHash }
      return yield* transaction.run(
        Effect.gen(function* () {
          const account = yield* store.insert(row, yield* DateTime.now)
          if (Option.isNone(account)) return yield* new AccountExists({ email: email.value })
          return { account: account.value, ...(yield* addProject(id, name)) }
        })
      )
    })

    const createProject = Effect.fn("Accounts.createProject")(function* (account: AccountId, name: string) {
      return yield* transaction.run(addProject(account, yield* nameOf(name)))
    })

    const createProjectIf = <E>(account: AccountId, name: string, check: Effect.Effect<void, E>) =>
      transaction.run(Effect.andThen(Effect.andThen(store.lock(account), check), addProject(account, name)))

    const find = Effect.fn("Accounts.find")(function* (email: string) {
      const address = decodeEmail(email)
      return Option.isNone(address) ? Option.none() : yield* store.findByEmail(address.value)
    })

    const ownedProjects = Effect.fn("Accounts.ownedProjects")(function* (account: AccountId) {
      const memberships = yield* store.memberships(account)
      return memberships.filter(({ role }) => role === "OWNER").map(({ project }) => project)
    })

    const checkPassword = Effect.fn("Accounts.checkPassword")(function* (
      account: AccountId,
      password: Redacted.Redacted<string>
    ) {
      const hash = yield* store.passwordHash(account)
      return Option.isSome(hash) && (yield* passwords.verify(hash.value, password))
    })

    const setPassword = Effect.fn("Accounts.setPassword")(function* (
      account: AccountId,
      password: Redacted.Redacted<string>
    ) {
      yield* acceptable(password)
      yield* store.setPasswordHash(account, yield* passwords.hash(password), yield* DateTime.now)
    })

    return Accounts.of({
      create,
      createProject,
      createProjectIf,
      lock: store.lock,
      find,
      ownedProjects,
      administrators: store.administrators,
      verifyEmail: (account) => Effect.flatMap(DateTime.now, (now) => Effect.asVoid(store.verifyEmail(account, now))),
      checkPassword,
      setPassword
    })
  })
)
