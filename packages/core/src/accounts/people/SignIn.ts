/**
 * Signing up, logging in and logging out.
 *
 * Except for sign-up, neither the answer nor the time it takes shows whether an address has an account. Rate limits
 * apply before a password is hashed.
 */

import {
  AccountAlreadyExists,
  type ChangePassword,
  InvalidCredentials,
  InvalidToken,
  type Login,
  type ResetPassword,
  type Signup,
  SignupsDisabled,
  TooManyAttempts
} from "@posthorn/contract/accounts/people/Account"
import {
  LoginExpired,
  type PasskeyLogin,
  type PasskeyRefused,
  type PasskeyRequest,
  type SecondFactor,
  SecondFactorRequired,
  WrongSecondFactor
} from "@posthorn/contract/accounts/people/SignInSecurity"
import { AccountId, type CurrentUser } from "@posthorn/contract/platform/Auth"
import { Conflict } from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { recordLogin } from "../../platform/audit/AuditLog.ts"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import type { SecretBox } from "../../platform/SecretBox.ts"
import { Transaction } from "../../platform/Transaction.ts"
import * as Members from "../members/Members.ts"
import { Projects } from "../projects/Projects.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import { resetEmail, verificationEmail, withLink } from "./AccountEmails.ts"
import { type Account, AccountStore, type Credentials } from "./AccountStore.ts"
import * as Attempts from "./Attempts.ts"
import * as MailedTokens from "./MailedTokens.ts"
import * as Passkeys from "./Passkeys.ts"
import type { PasswordHash } from "./PasswordHash.ts"
import * as Passwords from "./Passwords.ts"
import { Sessions } from "./Sessions.ts"
import { signups } from "./Signups.ts"
import * as TwoFactors from "./TwoFactors.ts"

type Token = Redacted.Redacted<string>

/** The network of the request: an IPv4 address or an IPv6 /64. Undefined where there is no network. */
export type Network = string | undefined

/** Ids of accounts that do not exist. There are 256, so that requests for unknown addresses leave at most 256 rows. */
const unknownAccount = (number: number) =>
  AccountId.make(`00000000-0000-7000-8000-0000000000${number.toString(16).padStart(2, "0")}`)

export interface SignedIn {
  readonly account: Account
  readonly token: Token
}

/** An account with an unconfirmed address, as the holder of the emailed link sees it. */
export interface Unconfirmed {
  readonly email: string
  readonly createdAt: DateTime.Utc
  /** The network that it was created from, a /24 or /64. Null when it is not known. */
  readonly network: string | null
}

/** A service: HTTP handlers and the account pages call it, and a process has one limit of password hashes. */
export class SignIn extends Context.Service<
  SignIn,
  {
    readonly twoFactors: TwoFactors.TwoFactors
    readonly passkeys: Passkeys.Passkeys
    /** Fails with the token that continues the login if the account has two factors on. */
    readonly login: (
      given: Login,
      network: Network
    ) => Effect.Effect<SignedIn, InvalidCredentials | SecondFactorRequired | TooManyAttempts>
    /** Continues a pending login with its second factor. */
    readonly twoFactor: (
      given: SecondFactor,
      network: Network
    ) => Effect.Effect<SignedIn, LoginExpired | TooManyAttempts | WrongSecondFactor>
    /** Options for a passkey, to continue a login or to start one. */
    readonly passkeyRequest: (
      token: string | undefined,
      network: Network
    ) => Effect.Effect<PasskeyRequest, LoginExpired | TooManyAttempts>
    /** Logs in with a passkey alone, or as the second factor of a pending login. */
    readonly passkey: (
      given: PasskeyLogin,
      network: Network
    ) => Effect.Effect<SignedIn, LoginExpired | PasskeyRefused | TooManyAttempts>
    /**
     * Opens a session of an existing account without a credential, for a host that vouches for its caller. The audit
     * log names the way.
     */
    readonly openAs: (user: AccountId, via: "dev") => Effect.Effect<Token>
    /** Whether it is the user's password. A wrong password counts as a failed login. */
    readonly confirmPassword: (
      user: CurrentUser["Service"],
      password: string,
      network: Network
    ) => Effect.Effect<void, InvalidCredentials | TooManyAttempts>
    /** Whether anyone may sign up now. */
    readonly isOpen: Effect.Effect<boolean>
    /**
     * Creates the account and, with an invitation, its membership, both or neither. Emails a link that confirms the
     * address.
     */
    readonly signup: (
      given: Signup,
      network: Network
    ) => Effect.Effect<
      { readonly account: Account; readonly token: Token },
      AccountAlreadyExists | InvalidToken | SignupsDisabled | TooManyAttempts
    >
    readonly logoutAll: (user: AccountId) => Effect.Effect<void>
    readonly requestVerification: (user: CurrentUser["Service"]) => Effect.Effect<void, TooManyAttempts>
    /** Whether an emailed link is still valid. Changes nothing. */
    readonly isGood: (purpose: MailedTokens.TokenPurpose, token: string) => Effect.Effect<boolean>
    readonly verifyEmail: (token: string) => Effect.Effect<void, InvalidToken>
    /** The unconfirmed account that the token was emailed to. */
    readonly unconfirmed: (token: string) => Effect.Effect<Unconfirmed, InvalidToken>
    /**
     * As `verifyEmail`, but also checks the password. A wrong password counts as a failed login and does not use up the
     * token.
     */
    readonly verifyEmailWith: (
      token: string,
      password: string,
      network: Network
    ) => Effect.Effect<void, InvalidCredentials | InvalidToken | TooManyAttempts>
    /**
     * For an address whose owner did not sign up: deletes the account with its sessions, its memberships and the
     * projects that it owns. Works only before the address is confirmed.
     */
    readonly disown: (token: string) => Effect.Effect<void, InvalidToken>
    /**
     * The result is the same whether or not the account exists. An existing account gets an email, at most 3 an hour. A
     * network may ask as often as it may log in.
     */
    readonly requestPasswordReset: (email: string, network: Network) => Effect.Effect<void, TooManyAttempts>
    /** Ends all sessions, confirms the address and resets the count of failed logins. */
    readonly resetPassword: (given: ResetPassword) => Effect.Effect<void, InvalidToken>
    /** Ends all sessions. The new token opens the session that continues. */
    readonly changePassword: (
      user: CurrentUser["Service"],
      given: ChangePassword,
      network: Network
    ) => Effect.Effect<Token, InvalidCredentials | TooManyAttempts>
    readonly get: (user: AccountId) => Effect.Effect<Account>
    readonly removeAccount: (user: AccountId) => Effect.Effect<void, Conflict>
    /** Deletes expired tokens, sessions, pending logins and invitations. */
    readonly sweep: Effect.Effect<void>
  }
>()("@posthorn/core/accounts/people/SignIn") {}

export const layer: Layer.Layer<
  SignIn,
  never,
  | AccountStore
  | Digest.Digest
  | Members.Needs
  | PasswordHash
  | Projects
  | SecretBox
  | SecureRandom.SecureRandom
  | Sessions
  | SqlClient.SqlClient
  | SystemMail
  | Transaction
> = Layer.effect(
  SignIn,
  Effect.gen(function* () {
    const store = yield* AccountStore
    const attempts = yield* Attempts.make
    const box = yield* Effect.context<SecretBox>()
    const sql = yield* SqlClient.SqlClient
    const tokens = yield* MailedTokens.make
    const members = yield* Members.make
    const factors = yield* TwoFactors.make
    const passkeys = yield* Passkeys.make
    const passwords = yield* Passwords.make
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom
    const sessions = yield* Sessions
    const mail = yield* SystemMail
    const transaction = yield* Transaction
    const open = yield* signups(store)

    const take = Effect.fnUntraced(function* (limit: Attempts.AttemptLimit, who: Network, now: DateTime.Utc) {
      const wait = who === undefined ? Option.none() : yield* attempts.take(limit, who, now)
      if (Option.isSome(wait)) return yield* new TooManyAttempts({ limit: limit.limit, retryAfter: wait.value })
    })

    /** Counts an attempt before the password is compared, and uncounts it when the password is right. */
    const checked = Effect.fnUntraced(function* (email: string, password: string, network: Network) {
      const now = yield* DateTime.now
      yield* take(Attempts.limits.loginOfAccount, email, now)
      yield* Effect.tapError(take(Attempts.limits.loginFromAddress, network, now), () =>
        attempts.giveBack(Attempts.limits.loginOfAccount, email, now)
      )
      const found = yield* store.credentials({ email })
      const hash = Option.match(found, { onNone: () => null, onSome: ({ passwordHash }) => passwordHash })
      const given = Redacted.make(password)
      const matched = yield* passwords.matches(hash, given)
      if (!matched || Option.isNone(found) || hash === null) return yield* new InvalidCredentials()
      yield* attempts.forget(Attempts.limits.loginOfAccount, email)
      if (network !== undefined) yield* attempts.giveBack(Attempts.limits.loginFromAddress, network, now)
      if (passwords.isOutdated(hash)) yield* store.rehash(found.value.account.id, hash, yield* passwords.hash(given))
      return found.value
    }, passwords.inLine)

    const opened = ({ account, sessionVersion }: Credentials) =>
      Effect.map(sessions.open({ id: account.id, sessionVersion }), (token) => ({ account, token }))

    const login = Effect.fn("SignIn.login")(function* ({ email, password }: Login, network: Network) {
      const found = yield* checked(email, password, network)
      const { account, sessionVersion } = found
      const asked = yield* factors.ask({ user: account.id, sessionVersion })
      if (Option.isSome(asked)) return yield* new SecondFactorRequired(asked.value)
      yield* recordLogin(sql, account.id)
      return yield* opened(found)
    })

    /** The account of a pending login. A password change ends pending logins. */
    const accountOf = Effect.fnUntraced(function* ({ user, sessionVersion }: TwoFactors.Waiting) {
      const found = yield* store.credentials({ id: user })
      return Option.isSome(found) && found.value.sessionVersion === sessionVersion
        ? found.value
        : yield* new LoginExpired()
    })

    const finish = Effect.fnUntraced(function* (waiting: TwoFactors.Waiting, found: Credentials) {
      yield* factors.end(waiting)
      yield* recordLogin(sql, found.account.id)
      return yield* opened(found)
    })

    const withPasskey = Effect.fnUntraced(function* (
      { token, response }: { readonly token: string; readonly response: PasskeyLogin["response"] },
      network: Network
    ) {
      const waiting = yield* factors.take(token)
      const found = yield* accountOf(waiting)
      yield* passkeys.verify({ kind: "second", login: waiting.hash, user: waiting.user }, response, network)
      return yield* finish(waiting, found)
    })

    const twoFactor = Effect.fn("SignIn.twoFactor")(function* (given: SecondFactor, network: Network) {
      const { token, passkey: response } = given
      if (response !== undefined) {
        return yield* Effect.catchTag(withPasskey({ token, response }, network), "INVALID_CREDENTIALS", () =>
          Effect.fail(new WrongSecondFactor())
        )
      }
      const waiting = yield* factors.take(token)
      const found = yield* accountOf(waiting)
      yield* factors.check(found.account, given)
      return yield* finish(waiting, found)
    })

    const passkeyRequest = Effect.fn("SignIn.passkeyRequest")(function* (token: string | undefined, network: Network) {
      if (token === undefined) return yield* passkeys.request({ kind: "alone" }, network)
      const { hash, user } = yield* factors.waiting(token)
      return yield* passkeys.request({ kind: "second", login: hash, user }, network)
    })

    const passkey = Effect.fn("SignIn.passkey")(function* ({ token, response }: PasskeyLogin, network: Network) {
      if (token !== undefined) return yield* withPasskey({ token, response }, network)
      const user = yield* passkeys.verify({ kind: "alone" }, response, network)
      const found = yield* Effect.orDie(Effect.flatMap(store.credentials({ id: user }), Effect.fromOption))
      yield* recordLogin(sql, user)
      return yield* opened(found)
    })

    const openAs = Effect.fn("SignIn.openAs")(function* (user: AccountId, via: "dev") {
      const found = yield* Effect.orDie(Effect.flatMap(store.credentials({ id: user }), Effect.fromOption))
      yield* recordLogin(sql, user, via)
      return (yield* opened(found)).token
    })

    const mailVerification = Effect.fnUntraced(function* (account: AccountId, email: string) {
      const token = yield* tokens.issue("verification", account)
      yield* mail.post([yield* withLink(verificationEmail(email), "verify-email", token)])
    }, Effect.provideContext(box))

    const isInvited = (email: string, token: string) =>
      members.held(token).pipe(
        Effect.map((invitation) => invitation.email === email),
        Effect.catch(() => Effect.succeed(false))
      )

    const signup = Effect.fn("SignIn.signup")(function* (given: Signup, network: Network) {
      const { email } = given
      const invitationToken = given.invitationToken ?? null
      yield* take(Attempts.limits.signup, network, yield* DateTime.now)
      const invited = invitationToken !== null && (yield* isInvited(email, invitationToken))
      if (!invited && !(yield* open.isOpen)) return yield* new SignupsDisabled()
      if (invitationToken !== null && !invited) return yield* new InvalidToken()
      const passwordHash = yield* passwords.hash(Redacted.make(given.password))
      const id = AccountId.make(yield* random.uuidV7())
      const created = yield* transaction.run(
        Effect.gen(function* () {
          const row = { id, email, emailVerified: invited, type: "PASSWORD" as const, passwordHash }
          const account = yield* (invited ? store.insert : open.insert)(row, yield* DateTime.now)
          if (Option.isNone(account)) {
            return yield* invited || (yield* open.isOpen) ? new AccountAlreadyExists({ email }) : new SignupsDisabled()
          }
          if (network !== undefined) yield* store.setOrigin(id, ClientLimit.networkOf(network))
          if (invitationToken !== null) {
            yield* Effect.catchTag(
              members.accept({ id, email }, invitationToken),
              ["FORBIDDEN", "PROJECT_DISABLED", "VALIDATION_ERROR"],
              () => new InvalidToken()
            )
          } else yield* mailVerification(id, email)
          return account.value
        })
      )
      return yield* opened({ account: created, passwordHash, sessionVersion: 1 })
    }, passwords.inLine)

    const requestVerification = Effect.fn("SignIn.requestVerification")(function* ({
      id,
      email,
      emailVerified
    }: CurrentUser["Service"]) {
      if (emailVerified) return
      yield* take(Attempts.limits.verificationMail, id, yield* DateTime.now)
      yield* transaction.run(mailVerification(id, email))
    })

    const verifyEmail = Effect.fn("SignIn.verifyEmail")(function* (token: string) {
      yield* transaction.run(
        Effect.gen(function* () {
          const account = yield* tokens.redeem("verification", token)
          if (Option.isNone(account)) return yield* new InvalidToken()
          if (!(yield* store.verifyEmail(account.value, yield* DateTime.now))) return yield* new InvalidToken()
        })
      )
    })

    const unconfirmedOf = Effect.fnUntraced(function* (token: string) {
      const id = yield* tokens.find("verification", token)
      const account = Option.isSome(id) ? yield* store.find(id.value) : Option.none()
      return Option.isSome(account) && !account.value.emailVerified ? account.value : yield* new InvalidToken()
    })

    const unconfirmed = Effect.fn("SignIn.unconfirmed")(function* (token: string) {
      const { id, email, createdAt } = yield* unconfirmedOf(token)
      return { email, createdAt, network: Option.getOrNull(yield* store.origin(id)) }
    })

    const verifyEmailWith = Effect.fn("SignIn.verifyEmailWith")(function* (
      token: string,
      password: string,
      network: Network
    ) {
      const { email } = yield* unconfirmedOf(token)
      yield* checked(email, password, network)
      yield* verifyEmail(token)
    })

    const disown = Effect.fn("SignIn.disown")(function* (token: string) {
      const ended = yield* transaction.run(
        Effect.gen(function* () {
          const id = yield* tokens.redeem("verification", token)
          const account = Option.isSome(id) ? yield* store.lock(id.value) : Option.none()
          if (Option.isNone(account) || account.value.emailVerified) return yield* new InvalidToken()
          const owned = (yield* store.memberships(account.value.id)).filter(({ role }) => role === "OWNER")
          for (const { project } of owned) yield* projects.end(project)
          if (!(yield* store.remove(account.value.id))) {
            return yield* Effect.die(new Error("The account owns a project that was created during the deletion"))
          }
          return owned.length
        })
      )
      if (ended > 0) yield* projects.invalidate
    })

    const requestPasswordReset = Effect.fn("SignIn.requestPasswordReset")(function* (email: string, network: Network) {
      const now = yield* DateTime.now
      yield* take(Attempts.limits.resetFromAddress, network, now)
      const wait = yield* attempts.take(Attempts.limits.resetMail, email, now)
      // Runs the same statements for an address without an account: issues a token for a nonexistent account and sends
      // no email.
      const [number = 0] = yield* random.randomBytes(1)
      const unknown = unknownAccount(number)
      yield* transaction.run(
        Effect.gen(function* () {
          const found = yield* store.credentials({ email })
          if (Option.isSome(wait)) return
          const account = Option.match(found, { onNone: () => unknown, onSome: (known) => known.account.id })
          const token = yield* tokens.issue("reset", account)
          const message = yield* Effect.provideContext(withLink(resetEmail(email), "reset-password", token), box)
          yield* mail.post(Option.isSome(found) ? [message] : [])
        })
      )
    })

    const resetPassword = Effect.fn("SignIn.resetPassword")(function* ({ token, newPassword }: ResetPassword) {
      if (Option.isNone(yield* tokens.find("reset", token))) return yield* new InvalidToken()
      const hash = yield* passwords.hash(Redacted.make(newPassword))
      yield* transaction.run(
        Effect.gen(function* () {
          const now = yield* DateTime.now
          const id = yield* tokens.redeem("reset", token)
          const account = Option.isSome(id) ? yield* store.find(id.value) : Option.none()
          if (Option.isNone(account)) return yield* new InvalidToken()
          yield* store.setPasswordHash(account.value.id, hash, now)
          yield* store.verifyEmail(account.value.id, now)
          yield* attempts.forget(Attempts.limits.loginOfAccount, account.value.email)
        })
      )
    }, passwords.inLine)

    const changePassword = Effect.fn("SignIn.changePassword")(function* (
      { id, email }: CurrentUser["Service"],
      { currentPassword, newPassword }: ChangePassword,
      network: Network
    ) {
      yield* checked(email, currentPassword, network)
      yield* store.setPasswordHash(id, yield* passwords.hash(Redacted.make(newPassword)), yield* DateTime.now)
      const { sessionVersion } = yield* Effect.flatMap(store.credentials({ id }), Effect.fromOption).pipe(Effect.orDie)
      return yield* sessions.open({ id, sessionVersion })
    })

    const removeAccount = Effect.fn("SignIn.removeAccount")(function* (user: AccountId) {
      yield* transaction.run(
        Effect.gen(function* () {
          yield* store.lock(user)
          if (!(yield* store.remove(user))) return yield* new Conflict({ reason: "owns_projects" })
        })
      )
    })

    // Expired rows have no effect; deleting them frees their space.
    const sweep = Effect.gen(function* () {
      yield* attempts.sweep(yield* DateTime.now)
      yield* sessions.sweep
      yield* passkeys.sweep
      yield* factors.sweep
      yield* tokens.sweep
      yield* members.sweep
    })

    return SignIn.of({
      twoFactors: factors,
      passkeys,
      login,
      twoFactor,
      passkeyRequest,
      passkey,
      openAs,
      confirmPassword: ({ email }, password, network) => Effect.asVoid(checked(email, password, network)),
      isOpen: open.isOpen,
      signup,
      logoutAll: (user) => Effect.flatMap(DateTime.now, (now) => store.endSessions(user, now)),
      requestVerification,
      isGood: (purpose, token) => Effect.map(tokens.find(purpose, token), Option.isSome),
      verifyEmail,
      unconfirmed,
      verifyEmailWith,
      disown,
      requestPasswordReset,
      resetPassword,
      changePassword,
      get: (user) => Effect.flatMap(store.find(user), Effect.fromOption).pipe(Effect.orDie),
      removeAccount,
      sweep
    })
  })
)
