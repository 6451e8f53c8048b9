/**
 * Signing up, in and out (contract-2 9).
 *
 * Nobody learns from an answer, or from the work behind it, whether an address has an account, but for sign-up, which
 * has to say so. Whoever asks for too much is refused before a password is hashed.
 */

import { AccountId, type CurrentUser } from "@posthorn/contract/Auth"
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
} from "@posthorn/contract/accounts/Account"
import { Conflict } from "@posthorn/contract/Errors"
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/AuditLog.ts"
import { Members } from "../members/Members.ts"
import type { SecretBox } from "../SecretBox.ts"
import { Settings } from "../Settings.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import { Transaction } from "../Transaction.ts"
import { resetLetter, verificationLetter, withLink } from "./AccountLetters.ts"
import { type Account, AccountStore, type Credentials } from "./AccountStore.ts"
import { type AttemptLimit, Attempts, limits } from "./Attempts.ts"
import { MailedTokens, type Purpose } from "./MailedTokens.ts"
import { Passwords } from "./Passwords.ts"
import { Sessions } from "./Sessions.ts"

type Token = Redacted.Redacted<string>

/** Who asks, as far as the network tells: an address, or its /64. Undefined where there is no network. */
export type Network = string | undefined

export class SignIn extends Context.Service<
  SignIn,
  {
    readonly login: (
      given: Login,
      network: Network
    ) => Effect.Effect<{ readonly account: Account; readonly token: Token }, InvalidCredentials | TooManyAttempts>
    /** Account and, with an invitation, its membership: all of it or nothing. Mails a link that confirms the address. */
    readonly signup: (
      given: Signup,
      network: Network
    ) => Effect.Effect<
      { readonly account: Account; readonly token: Token },
      AccountAlreadyExists | InvalidToken | SignupsDisabled | TooManyAttempts
    >
    readonly logoutAll: (user: AccountId) => Effect.Effect<void>
    readonly requestVerification: (user: CurrentUser["Service"]) => Effect.Effect<void, TooManyAttempts>
    /** Changes nothing: whether a link that was mailed is still good. */
    readonly isGood: (purpose: Purpose, token: string) => Effect.Effect<boolean>
    readonly verifyEmail: (token: string) => Effect.Effect<void, InvalidToken>
    /** Tells nothing: a mail goes to accounts that exist, at most 3 an hour. */
    readonly requestPasswordReset: (email: string) => Effect.Effect<void>
    /** Ends all sessions, confirms the address, and lets logins be tried again. */
    readonly resetPassword: (given: ResetPassword) => Effect.Effect<void, InvalidToken>
    /** Ends all sessions; the new token is of the one that goes on. */
    readonly changePassword: (
      user: CurrentUser["Service"],
      given: ChangePassword,
      network: Network
    ) => Effect.Effect<Token, InvalidCredentials | TooManyAttempts>
    readonly get: (user: AccountId) => Effect.Effect<Account>
    readonly removeAccount: (user: AccountId) => Effect.Effect<void, Conflict>
  }
>()("@posthorn/core/accounts/SignIn") {}

export const layer: Layer.Layer<
  SignIn,
  never,
  | AccountStore
  | Attempts
  | AuditLog
  | MailedTokens
  | Members
  | Passwords
  | SecretBox
  | SecureRandom.SecureRandom
  | Sessions
  | SystemMail
  | Transaction
> = Layer.effect(
  SignIn,
  Effect.gen(function* () {
    const store = yield* AccountStore
    const attempts = yield* Attempts
    const box = yield* Effect.context<SecretBox>()
    const audit = yield* AuditLog
    const tokens = yield* MailedTokens
    const members = yield* Members
    const passwords = yield* Passwords
    const random = yield* SecureRandom.SecureRandom
    const sessions = yield* Sessions
    const mail = yield* SystemMail
    const transaction = yield* Transaction
    const { signupsDisabled } = yield* Settings

    const take = Effect.fnUntraced(function* (limit: AttemptLimit, who: Network, now: DateTime.Utc) {
      const wait = who === undefined ? Option.none() : yield* attempts.take(limit, who, now)
      if (Option.isSome(wait)) return yield* new TooManyAttempts({ limit: limit.limit, retryAfter: wait.value })
    })

    /** The place of a login is taken before the password is looked at, and given back when it was the right one. */
    const checked = Effect.fnUntraced(function* (email: string, password: string, network: Network) {
      const now = yield* DateTime.now
      yield* take(limits.loginOfAccount, email, now)
      yield* Effect.tapError(take(limits.loginFromAddress, network, now), () =>
        attempts.giveBack(limits.loginOfAccount, email, now)
      )
      const found = yield* store.credentials({ email })
      const hash = Option.match(found, { onNone: () => null, onSome: ({ passwordHash }) => passwordHash })
      const given = Redacted.make(password)
      const matched = yield* passwords.matches(hash, given)
      if (!matched || Option.isNone(found) || hash === null) return yield* new InvalidCredentials()
      yield* attempts.forget(limits.loginOfAccount, email)
      if (network !== undefined) yield* attempts.giveBack(limits.loginFromAddress, network, now)
      if (passwords.isOutdated(hash)) yield* store.rehash(found.value.account.id, hash, yield* passwords.hash(given))
      return found.value
    })

    const opened = ({ account, sessionVersion }: Credentials) =>
      Effect.map(sessions.open({ id: account.id, sessionVersion }), (token) => ({ account, token }))

    const login = Effect.fn("SignIn.login")(function* ({ email, password }: Login, network: Network) {
      const found = yield* checked(email, password, network)
      yield* audit.loggedIn(found.account.id)
      return yield* opened(found)
    })

    const mailVerification = Effect.fnUntraced(function* (account: AccountId, email: string) {
      const token = yield* tokens.issue("verification", account)
      yield* mail.post([yield* withLink(verificationLetter(email), "verify-email", token)])
    }, Effect.provideContext(box))

    const isInvited = (email: string, token: string) =>
      members.held(token).pipe(
        Effect.map((invitation) => invitation.email === email),
        Effect.catch(() => Effect.succeed(false))
      )

    const signup = Effect.fn("SignIn.signup")(function* (given: Signup, network: Network) {
      const { email } = given
      const invitationToken = given.invitationToken ?? null
      yield* take(limits.signup, network, yield* DateTime.now)
      const invited = invitationToken !== null && (yield* isInvited(email, invitationToken))
      if (signupsDisabled && !invited) return yield* new SignupsDisabled()
      if (invitationToken !== null && !invited) return yield* new InvalidToken()
      const passwordHash = yield* passwords.hash(Redacted.make(given.password))
      const id = AccountId.make(yield* random.uuidV7())
      const created = yield* transaction.run(
        Effect.gen(function* () {
          const row = { id, email, emailVerified: invited, type: "PASSWORD" as const, passwordHash }
          const account = yield* store.insert(row, yield* DateTime.now)
          if (Option.isNone(account)) return yield* new AccountAlreadyExists({ email })
          if (invitationToken !== null) {
            yield* Effect.catchTag(
              members.accept({ id, email }, invitationToken),
              "FORBIDDEN",
              () => new InvalidToken()
            )
          } else yield* mailVerification(id, email)
          return account.value
        })
      )
      return yield* opened({ account: created, passwordHash, sessionVersion: 1 })
    })

    const requestVerification = Effect.fn("SignIn.requestVerification")(function* ({
      id,
      email,
      emailVerified
    }: CurrentUser["Service"]) {
      if (emailVerified) return
      yield* take(limits.verificationMail, id, yield* DateTime.now)
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

    const requestPasswordReset = Effect.fn("SignIn.requestPasswordReset")(function* (email: string) {
      const wait = yield* attempts.take(limits.resetMail, email, yield* DateTime.now)
      // The same statements for an address without account: a token that nobody gets, of an account that is not there.
      const nobody = AccountId.make(yield* random.uuidV7())
      yield* transaction.run(
        Effect.gen(function* () {
          const found = yield* store.credentials({ email })
          if (Option.isSome(wait)) return
          const account = Option.match(found, { onNone: () => nobody, onSome: (known) => known.account.id })
          const token = yield* tokens.issue("reset", account)
          const letter = yield* Effect.provideContext(withLink(resetLetter(email), "reset-password", token), box)
          yield* mail.post(Option.isSome(found) ? [letter] : [])
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
          yield* attempts.forget(limits.loginOfAccount, account.value.email)
        })
      )
    })

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

    return SignIn.of({
      login,
      signup,
      logoutAll: (user) => Effect.flatMap(DateTime.now, (now) => store.endSessions(user, now)),
      requestVerification,
      isGood: (purpose, token) => Effect.map(tokens.find(purpose, token), Option.isSome),
      verifyEmail,
      requestPasswordReset,
      resetPassword,
      changePassword,
      get: (user) => Effect.flatMap(store.find(user), Effect.fromOption).pipe(Effect.orDie),
      removeAccount
    })
  })
)
