/** The second factor of logins: codes of an authenticator app, and recovery codes in case the app is lost. */

import { type InvalidCredentials, TooManyAttempts } from "@posthorn/contract/accounts/people/Account"
import {
  LoginExpired,
  type RemoveTotp,
  type SecondFactorMethod,
  type TotpSecret,
  type TwoFactorState,
  WrongSecondFactor
} from "@posthorn/contract/accounts/people/SignInSecurity"
import type { AccountId, CurrentUser } from "@posthorn/contract/platform/Auth"
import { Conflict } from "@posthorn/contract/platform/Errors"
import { DateTime, Duration, Effect, Option, Redacted } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { SecretBox } from "../../platform/SecretBox.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import { recoveryCodeEmail, twoFactorsOffEmail, twoFactorsOnEmail } from "./AccountEmails.ts"
import * as Attempts from "./Attempts.ts"
import { hashToken, makeToken } from "./MailedTokens.ts"
import { Sessions } from "./Sessions.ts"
import * as Totp from "./Totp.ts"
import * as TwoFactorStore from "./TwoFactorStore.ts"

/** The lifetime of a pending login, and its tries. */
const pendingLifetime = Duration.minutes(10)
const pendingTries = 5
const mostPending = 20

const recoveryCodes = 10
/** 80 bits: too many to find the code of a hash by trying all codes. */
const recoveryBytes = 10

/** Limits of tries: for 15 minutes and for a day. A right code resets both. */
const codeLimits: ReadonlyArray<Attempts.AttemptLimit> = [
  Attempts.limits.secondFactor,
  Attempts.limits.secondFactorOfDay
]

/** The code as the user types it: either case, with any blanks and hyphens. */
const canonical = (code: string) => code.toLowerCase().replaceAll(/[ -]/g, "")

/** A pending login with its token. */
export interface Waiting extends TwoFactorStore.PendingLogin {
  readonly hash: string
}

interface GivenCode {
  readonly code?: string | undefined
  readonly recoveryCode?: string | undefined
}

export interface TwoFactors {
  readonly state: (account: AccountId) => Effect.Effect<TwoFactorState>
  /** Makes a new secret. It has no effect until a code confirms it. The caller has checked the password. */
  readonly setUp: (account: AccountId, email: string) => Effect.Effect<TotpSecret, Conflict>
  /** Turns two factors on, ends the other sessions and emails the user. Returns the recovery codes. */
  readonly confirm: (
    user: CurrentUser["Service"],
    code: string
  ) => Effect.Effect<ReadonlyArray<string>, Conflict | TooManyAttempts | WrongSecondFactor>
  /** The caller has checked the password. A recovery code is accepted in place of a code. */
  readonly remove: (
    user: CurrentUser["Service"],
    given: RemoveTotp
  ) => Effect.Effect<void, Conflict | InvalidCredentials | TooManyAttempts | WrongSecondFactor>
  /** A token for a pending login, if the account has two factors on. */
  readonly ask: (
    login: TwoFactorStore.PendingLogin
  ) => Effect.Effect<Option.Option<{ readonly token: string; readonly methods: ReadonlyArray<SecondFactorMethod> }>>
  /** The pending login. Counts one try. */
  readonly take: (token: string) => Effect.Effect<Waiting, LoginExpired>
  /** The pending login, without counting a try. */
  readonly waiting: (token: string) => Effect.Effect<Waiting, LoginExpired>
  /** Ends the token of a login that has succeeded. */
  readonly end: (login: Waiting) => Effect.Effect<void, LoginExpired>
  /** Uses up a code of the app, or a recovery code. */
  readonly check: (
    user: { readonly id: AccountId; readonly email: string },
    given: GivenCode
  ) => Effect.Effect<void, TooManyAttempts | WrongSecondFactor>
  /** Deletes expired pending logins. */
  readonly sweep: Effect.Effect<void>
}

const label = (account: AccountId) => ({ purpose: "totp", owner: account })

type Crypto = Digest.Digest | SecureRandom.SecureRandom

export const make: Effect.Effect<
  TwoFactors,
  never,
  Crypto | SecretBox | Sessions | SqlClient.SqlClient | SystemMail | Transaction
> = Effect.gen(function* () {
  const attempts = yield* Attempts.make
  const box = yield* SecretBox
  const crypto = yield* Effect.context<Crypto>()
  const mail = yield* SystemMail
  const random = yield* SecureRandom.SecureRandom
  const sessions = yield* Sessions
  const store = yield* TwoFactorStore.make
  const transaction = yield* Transaction

  const hashed = (text: string) => Effect.provideContext(hashToken(text), crypto)
  const recoveryHash = (account: AccountId, code: string) => hashed(`${account}:${canonical(code)}`)

  const state = (account: AccountId) => store.factors(account)

  const setUp = Effect.fn("TwoFactors.setUp")(function* (account: AccountId, email: string) {
    const secret = Totp.toBase32(yield* random.randomBytes(Totp.secretBytes))
    const sealed = yield* box.seal(label(account), Redacted.make(secret))
    if (!(yield* store.begin(account, sealed, yield* DateTime.now))) {
      return yield* new Conflict({ reason: "two_factor_on" })
    }
    return { secret, uri: Totp.uriOf(secret, email) }
  })

  /** Counts each try before it is made, so that concurrent tries cannot exceed the limit. */
  const limited = Effect.fnUntraced(function* <A, E>(account: AccountId, attempt: Effect.Effect<A, E>) {
    const now = yield* DateTime.now
    for (const limit of codeLimits) {
      const wait = yield* attempts.take(limit, account, now)
      if (Option.isSome(wait)) return yield* new TooManyAttempts({ limit: limit.limit, retryAfter: wait.value })
    }
    const result = yield* attempt
    for (const limit of codeLimits) yield* attempts.forget(limit, account)
    return result
  })

  const useCode = Effect.fnUntraced(function* (account: AccountId, sealed: string, code: string) {
    const secret = Redacted.value(yield* Effect.orDie(box.open(label(account), sealed)))
    const step = Totp.stepOf(secret, code, DateTime.toEpochMillis(yield* DateTime.now))
    if (Option.isNone(step) || !(yield* store.useStep(account, step.value))) return yield* new WrongSecondFactor()
    const renewed = yield* Effect.orDie(box.renew(label(account), sealed))
    if (Option.isSome(renewed)) yield* store.reseal(account, sealed, renewed.value)
  })

  const newCodes = Effect.map(
    Effect.all(Array.from({ length: recoveryCodes }, () => random.randomBytes(recoveryBytes))),
    (all) => all.map((bytes) => Totp.toBase32(bytes).toLowerCase().match(/.{4}/g)?.join("-") ?? "")
  )

  const confirm = Effect.fn("TwoFactors.confirm")(function* (user: CurrentUser["Service"], code: string) {
    const { id, email, session } = user
    const found = yield* store.totp(id)
    if (Option.isNone(found)) return yield* new Conflict({ reason: "two_factor_off" })
    if (found.value.confirmed) return yield* new Conflict({ reason: "two_factor_on" })
    yield* limited(id, useCode(id, found.value.secret, code))
    const codes = yield* newCodes
    const hashes = yield* Effect.forEach(codes, (given) => recoveryHash(id, given))
    yield* transaction.run(
      Effect.gen(function* () {
        if (!(yield* store.confirm(id, hashes, yield* DateTime.now))) {
          return yield* new Conflict({ reason: "two_factor_on" })
        }
        yield* sessions.revokeOthers(id, session)
        yield* mail.post([twoFactorsOnEmail(email)])
      })
    )
    return codes
  })

  const check = Effect.fn("TwoFactors.check")(function* (
    { id, email }: { readonly id: AccountId; readonly email: string },
    { code, recoveryCode }: GivenCode
  ) {
    const found = yield* store.totp(id)
    const given = Effect.gen(function* () {
      if (Option.isNone(found) || !found.value.confirmed) return yield* new WrongSecondFactor()
      if (code !== undefined) return yield* useCode(id, found.value.secret, code)
      if (recoveryCode === undefined) return yield* new WrongSecondFactor()
      const hash = yield* recoveryHash(id, recoveryCode)
      if (!(yield* store.useRecoveryCode(id, hash))) return yield* new WrongSecondFactor()
      yield* mail.post([recoveryCodeEmail((yield* store.factors(id)).recoveryCodes)(email)])
    })
    yield* limited(id, given)
  })

  const remove = Effect.fn("TwoFactors.remove")(function* (user: CurrentUser["Service"], given: RemoveTotp) {
    if (!(yield* store.factors(user.id)).totp) return yield* new Conflict({ reason: "two_factor_off" })
    yield* check(user, given)
    yield* transaction.run(
      Effect.gen(function* () {
        if (yield* store.remove(user.id)) yield* mail.post([twoFactorsOffEmail(user.email)])
      })
    )
  })

  const ask = Effect.fn("TwoFactors.ask")(function* (login: TwoFactorStore.PendingLogin) {
    const factors = yield* store.factors(login.user)
    if (!factors.totp) return Option.none()
    const token = yield* Effect.provideContext(makeToken, crypto)
    const expiresAt = DateTime.addDuration(yield* DateTime.now, pendingLifetime)
    yield* store.addPending(yield* hashed(token), login, expiresAt, mostPending)
    const methods: ReadonlyArray<SecondFactorMethod> = [
      "totp",
      ...(factors.recoveryCodes > 0 ? ["recoveryCode" as const] : []),
      ...(factors.passkeys > 0 ? ["passkey" as const] : [])
    ]
    return Option.some({ token, methods })
  })

  const found = Effect.fnUntraced(function* (token: string, look: TwoFactorStore.TwoFactorStore["pending"]) {
    const hash = yield* hashed(token)
    const login = yield* look(hash, yield* DateTime.now, pendingTries)
    return Option.isSome(login) ? { ...login.value, hash } : yield* new LoginExpired()
  })

  const end = Effect.fn("TwoFactors.end")(function* ({ hash }: Waiting) {
    if (!(yield* store.endPending(hash))) return yield* new LoginExpired()
  })

  return {
    state,
    setUp,
    confirm,
    remove,
    ask,
    take: (token) => found(token, store.tryPending),
    waiting: (token) => found(token, store.pending),
    end,
    check,
    sweep: Effect.flatMap(DateTime.now, store.sweep)
  }
})
