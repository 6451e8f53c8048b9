/** Passkeys: keys on devices that log in to an account, alone or as its second factor. */

import { TooManyAttempts } from "@posthorn/contract/accounts/people/Account"
import {
  type AddPasskey,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyCreation,
  PasskeyRefused,
  type PasskeyRequest
} from "@posthorn/contract/accounts/people/SignInSecurity"
import type { AccountId, CurrentUser } from "@posthorn/contract/platform/Auth"
import { Conflict, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { Id } from "@posthorn/contract/platform/Primitives"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { SqlClient } from "effect/sql"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import { passkeyAddedEmail, passkeyRemovedEmail } from "./AccountEmails.ts"
import * as Attempts from "./Attempts.ts"
import { hashToken, makeToken } from "./MailedTokens.ts"
import * as PasskeyStore from "./PasskeyStore.ts"
import * as WebAuthn from "./WebAuthn.ts"

const challengeLifetime = Duration.minutes(5)
const timeout = Duration.toMillis(challengeLifetime)
const mostPasskeys = 20

/** What a challenge was issued for. */
export type ChallengePurpose =
  | { readonly kind: "add"; readonly session: string }
  | { readonly kind: "alone" }
  /** The second factor of a pending login. `login` is the hash of the token of that login. */
  | { readonly kind: "second"; readonly login: string; readonly user: AccountId }

const boundTo = (purpose: ChallengePurpose): string => {
  if (purpose.kind === "alone") return "alone"
  return purpose.kind === "add" ? `add:${purpose.session}` : `second:${purpose.login}`
}

export interface Passkeys {
  readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Passkey>>
  /** The challenge is valid once, for five minutes, in this session. */
  readonly creation: (user: CurrentUser["Service"]) => Effect.Effect<PasskeyCreation, Conflict | TooManyAttempts>
  /** Registers a passkey and emails the user. */
  readonly add: (user: CurrentUser["Service"], given: AddPasskey) => Effect.Effect<Passkey, Conflict | PasskeyRefused>
  /** Removes a passkey and emails the user. */
  readonly remove: (user: CurrentUser["Service"], id: string) => Effect.Effect<void, ResourceNotFound>
  /** Options for `navigator.credentials.get()`, to log in alone or as a second factor. */
  readonly request: (
    purpose: Exclude<ChallengePurpose, { readonly kind: "add" }>,
    network: string | undefined
  ) => Effect.Effect<PasskeyRequest, TooManyAttempts>
  /** The user whose passkey answered the challenge. To log in alone, the authenticator must have verified the user. */
  readonly verify: (
    purpose: Exclude<ChallengePurpose, { readonly kind: "add" }>,
    response: PasskeyAssertion,
    network: string | undefined
  ) => Effect.Effect<AccountId, PasskeyRefused | TooManyAttempts>
  /** Deletes expired challenges. */
  readonly sweep: Effect.Effect<void>
}

const ClientData = Schema.fromJsonString(Schema.Struct({ challenge: Schema.String }))
const decodeClientData = Schema.decodeUnknownOption(ClientData)
const isId = Schema.is(Id)

/** The challenge that an answer claims to answer. The verification checks it. */
const challengeIn = (clientDataJSON: string) =>
  Option.flatMap(Option.getSuccess(Base64Url.decode(clientDataJSON)), (bytes) =>
    Option.map(decodeClientData(new TextDecoder().decode(bytes)), ({ challenge }) => challenge)
  )

const shown = ({ id, name, createdAt, lastUsedAt }: PasskeyStore.StoredPasskey): Passkey => ({
  id,
  name,
  createdAt,
  lastUsedAt
})

const descriptor = ({ credentialId, transports }: PasskeyStore.StoredPasskey) => ({
  type: "public-key" as const,
  id: credentialId,
  transports
})

type Crypto = Digest.Digest | SecureRandom.SecureRandom

export const make: Effect.Effect<Passkeys, never, Crypto | SqlClient.SqlClient | SystemMail | Transaction> = Effect.gen(
  function* () {
    const attempts = yield* Attempts.make
    const crypto = yield* Effect.context<Crypto>()
    const mail = yield* SystemMail
    const random = yield* SecureRandom.SecureRandom
    const store = yield* PasskeyStore.make
    const transaction = yield* Transaction
    const { dashboardOrigins, publicUrl } = yield* Settings
    const { hostname: rpId, origin } = new URL(publicUrl)
    const origins = [origin, ...dashboardOrigins]

    const challengeFor = Effect.fnUntraced(function* (purpose: ChallengePurpose) {
      const challenge = yield* makeToken
      const expiresAt = DateTime.addDuration(yield* DateTime.now, challengeLifetime)
      yield* store.addChallenge(yield* hashToken(challenge), boundTo(purpose), expiresAt)
      return challenge
    }, Effect.provideContext(crypto))

    /** Uses up the challenge before the verification, so that a wrong answer cannot be tried again. */
    const answered = Effect.fnUntraced(function* (
      purpose: ChallengePurpose,
      clientDataJSON: string,
      verification: boolean
    ) {
      const challenge = challengeIn(clientDataJSON)
      if (Option.isNone(challenge)) return yield* new PasskeyRefused()
      const hash = yield* Effect.provideContext(hashToken(challenge.value), crypto)
      if (!(yield* store.useChallenge(hash, boundTo(purpose), yield* DateTime.now))) return yield* new PasskeyRefused()
      return { challenge: challenge.value, rpId, origins, userVerification: verification }
    })

    const take = Effect.fnUntraced(function* (limit: Attempts.AttemptLimit, who: string) {
      const wait = yield* attempts.take(limit, who, yield* DateTime.now)
      if (Option.isSome(wait)) return yield* new TooManyAttempts({ limit: limit.limit, retryAfter: wait.value })
    })

    const list = (account: AccountId) => Effect.map(store.list(account), (found) => found.map(shown))

    const creation = Effect.fn("Passkeys.creation")(function* ({ id, email, session }: CurrentUser["Service"]) {
      yield* take(Attempts.limits.passkeyOptions, id)
      const known = yield* store.list(id)
      if (known.length >= mostPasskeys) return yield* new Conflict({ reason: "too_many_passkeys" })
      return {
        challenge: yield* challengeFor({ kind: "add", session }),
        rp: { id: rpId, name: "Posthorn" },
        user: { id: Base64Url.encode(new TextEncoder().encode(id)), name: email, displayName: email },
        pubKeyCredParams: WebAuthn.algorithms.map((alg) => ({ type: "public-key" as const, alg })),
        timeout,
        attestation: "none" as const,
        authenticatorSelection: {
          residentKey: "preferred" as const,
          requireResidentKey: false,
          userVerification: "preferred" as const
        },
        excludeCredentials: known.map(descriptor)
      }
    })

    const add = Effect.fn("Passkeys.add")(function* (
      { id: user, email, session }: CurrentUser["Service"],
      { name, response }: AddPasskey
    ) {
      const expected = yield* answered({ kind: "add", session }, response.response.clientDataJSON, false)
      const credential = yield* Effect.mapError(WebAuthn.registration(response, expected), () => new PasskeyRefused())
      const createdAt = yield* DateTime.now
      const passkey = {
        id: yield* random.uuidV7(),
        user,
        credentialId: credential.id,
        publicKey: credential.publicKey,
        counter: credential.counter,
        transports: response.response.transports ?? [],
        name,
        createdAt
      }
      yield* transaction.run(
        Effect.gen(function* () {
          if ((yield* store.list(user)).length >= mostPasskeys)
            return yield* new Conflict({ reason: "too_many_passkeys" })
          if (!(yield* store.insert(passkey))) return yield* new Conflict({ reason: "passkey_exists" })
          yield* mail.post([passkeyAddedEmail(name)(email)])
        })
      )
      return shown({ ...passkey, lastUsedAt: null })
    })

    const remove = Effect.fn("Passkeys.remove")(function* ({ id: user, email }: CurrentUser["Service"], id: string) {
      const notFound = new ResourceNotFound({ resource: "passkey", id })
      if (!isId(id)) return yield* notFound
      yield* transaction.run(
        Effect.gen(function* () {
          const name = yield* store.remove(user, id)
          if (Option.isNone(name)) return yield* notFound
          yield* mail.post([passkeyRemovedEmail(name.value)(email)])
        })
      )
    })

    const request = Effect.fn("Passkeys.request")(function* (
      purpose: Exclude<ChallengePurpose, { readonly kind: "add" }>,
      network: string | undefined
    ) {
      if (network !== undefined) yield* take(Attempts.limits.passkeyOptions, network)
      // Without the password, the options name no passkeys of the account. The device knows its own passkeys.
      const allowed = purpose.kind === "second" ? yield* store.list(purpose.user) : []
      return {
        challenge: yield* challengeFor(purpose),
        rpId,
        timeout,
        userVerification: purpose.kind === "second" ? ("preferred" as const) : ("required" as const),
        allowCredentials: allowed.map(descriptor)
      }
    })

    const verify = Effect.fn("Passkeys.verify")(function* (
      purpose: Exclude<ChallengePurpose, { readonly kind: "add" }>,
      response: PasskeyAssertion,
      network: string | undefined
    ) {
      if (network !== undefined) yield* take(Attempts.limits.passkey, network)
      const expected = yield* answered(purpose, response.response.clientDataJSON, purpose.kind === "alone")
      const found = yield* store.byCredential(response.id)
      if (Option.isNone(found)) return yield* new PasskeyRefused()
      const { id, user, credentialId, publicKey, counter } = found.value
      if (purpose.kind === "second" && purpose.user !== user) return yield* new PasskeyRefused()
      const credential = { id: credentialId, publicKey, counter }
      const next = yield* Effect.mapError(
        WebAuthn.assertion(response, credential, expected),
        () => new PasskeyRefused()
      )
      if (!(yield* store.used(id, counter, next, yield* DateTime.now))) return yield* new PasskeyRefused()
      return user
    })

    const sweep = Effect.flatMap(DateTime.now, store.sweep)

    return { list, creation, add, remove, request, verify, sweep }
  }
)
