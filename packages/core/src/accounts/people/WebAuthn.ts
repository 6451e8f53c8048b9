/**
 * Verifies the results of authenticators (W3C Web Authentication, Level 3, 7.1 and 7.2). The library runs wherever
 * WebCrypto does.
 */
import type { PasskeyAssertion, PasskeyRegistration } from "@posthorn/contract/accounts/people/SignInSecurity"
import { Data, Effect } from "effect"
import { Base64Url } from "effect/encoding"

/** The values that the answer must match. */
export interface Expected {
  /** Base64url, as it was issued. */
  readonly challenge: string
  readonly rpId: string
  readonly origins: ReadonlyArray<string>
  /** Requires a PIN, a fingerprint or the like. The presence of the user is always required. */
  readonly userVerification: boolean
}

export interface Credential {
  /** Base64url. */
  readonly id: string
  /** COSE key, base64url. */
  readonly publicKey: string
  /** 0 for an authenticator that does not count. */
  readonly counter: number
}

export class NotVerified extends Data.TaggedError("NotVerified")<{ readonly cause: unknown }> {}

/** ES256, EdDSA, RS256 (RFC 9053), which authenticators support. */
export const algorithms = [-7, -8, -257]

/**
 * Loaded at the first use of a passkey, since most applications do not install it. `@posthorn/node` pins two of its
 * dependencies to the versions that mailauth requires. With other versions npm may install their ASN.1 schemas twice,
 * and every signature is refused.
 */
const library = Effect.promise(() =>
  import("@simplewebauthn/server").catch((cause: unknown) => {
    throw new Error("Passkeys need one more package: npm install @simplewebauthn/server", { cause })
  })
)

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => new NotVerified({ cause }) })

const expectedOf = ({ challenge, rpId, origins, userVerification }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: [...origins],
  expectedRPID: rpId,
  requireUserVerification: userVerification
})

const noExtensions = { clientExtensionResults: {} }

/** Verifies a new passkey. */
export const registration = Effect.fn("WebAuthn.registration")(function* (
  { id, rawId, type, response: { clientDataJSON, attestationObject } }: PasskeyRegistration,
  expected: Expected
) {
  const { verifyRegistrationResponse } = yield* library
  const verified = yield* attempt(() =>
    verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, ...noExtensions },
      ...expectedOf(expected),
      supportedAlgorithmIDs: algorithms
    })
  )
  if (!verified.verified) return yield* new NotVerified({ cause: "signature" })
  const { credential } = verified.registrationInfo
  return { id: credential.id, publicKey: Base64Url.encode(credential.publicKey), counter: credential.counter }
})

/** Returns the new counter. Refuses a counter that has not grown since the last use. */
export const assertion = Effect.fn("WebAuthn.assertion")(function* (
  { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } }: PasskeyAssertion,
  credential: Credential,
  expected: Expected
) {
  const { verifyAuthenticationResponse } = yield* library
  const publicKey = yield* Effect.orDie(Effect.fromResult(Base64Url.decode(credential.publicKey)))
  const verified = yield* attempt(() =>
    verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature, ...(userHandle != null && { userHandle }) },
        ...noExtensions
      },
      ...expectedOf(expected),
      credential: { id: credential.id, publicKey: Uint8Array.from(publicKey), counter: credential.counter }
    })
  )
  if (!verified.verified) return yield* new NotVerified({ cause: "signature" })
  return verified.authenticationInfo.newCounter
})
