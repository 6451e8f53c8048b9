/** Security of an account besides its password: sessions, two-factor authentication, passkeys. */
import { Schema } from "effect"
import { described, Id, isLength, Name, required, Timestamp } from "../../platform/Primitives.ts"
import { InvalidCredentials, InvalidToken } from "./Account.ts"

const GivenPassword = required(Schema.String.check(isLength(0, 10_000)))

const text = (max: number) => Schema.String.check(Schema.isMaxLength(max, { message: `At most ${max} characters.` }))

export const AccountSession = Schema.Struct({
  id: Id,
  current: Schema.Boolean.pipe(described("Whether it is the session of the request.")),
  createdAt: Timestamp,
  lastSeenAt: Timestamp.pipe(described("Rounded to the minute.")),
  network: Schema.NullOr(Schema.String).pipe(
    described("The network of its last use: the /24 of an IPv4 address or the /64 of an IPv6 address. Null if unknown.")
  ),
  userAgent: Schema.NullOr(Schema.String).pipe(described("The user agent of its last use; at most 256 characters."))
}).annotate({ identifier: "AccountSession", description: "An open session of the user." })
export type AccountSession = typeof AccountSession.Type

/** Body of `POST /users/@me/two-factor/totp`. */
export const SetUpTotp = Schema.Struct({ password: GivenPassword }).annotate({ identifier: "SetUpTotp" })
export type SetUpTotp = typeof SetUpTotp.Type

export const TotpSecret = Schema.Struct({
  secret: Schema.String.pipe(described("In base32, for an authenticator app. Shown only here.")),
  uri: Schema.String.pipe(described("The secret as an `otpauth://` URI, for a QR code."))
}).annotate({ identifier: "TotpSecret", description: "The secret from which an authenticator app computes codes." })
export type TotpSecret = typeof TotpSecret.Type

const Code = text(20).pipe(described("Six digits of the authenticator app; each code works once."))
const RecoveryCode = text(100).pipe(described("One of the recovery codes; each works once."))

export const ConfirmTotp = Schema.Struct({ code: required(Code) }).annotate({ identifier: "ConfirmTotp" })
export type ConfirmTotp = typeof ConfirmTotp.Type

export const RecoveryCodes = Schema.Struct({
  recoveryCodes: Schema.Array(Schema.String).pipe(
    described("Ten codes, each of which replaces a code of the app once. Shown only here.")
  )
}).annotate({ identifier: "RecoveryCodes", description: "Two-factor authentication is on." })
export type RecoveryCodes = typeof RecoveryCodes.Type

/** Body of `DELETE /users/@me/two-factor/totp`. */
export const RemoveTotp = Schema.Struct({
  password: GivenPassword,
  code: Schema.optionalKey(Code),
  recoveryCode: Schema.optionalKey(RecoveryCode)
}).annotate({ identifier: "RemoveTotp" })
export type RemoveTotp = typeof RemoveTotp.Type

export const TwoFactorState = Schema.Struct({
  totp: Schema.Boolean.pipe(described("Whether a login needs a second factor.")),
  recoveryCodes: Schema.Int.pipe(described("Recovery codes that are not used yet.")),
  passkeys: Schema.Int.pipe(described("Passkeys of the account."))
}).annotate({ identifier: "TwoFactorState", description: "The factors of the account." })
export type TwoFactorState = typeof TwoFactorState.Type

const base64Url = (max: number) =>
  Schema.String.check(
    Schema.isMaxLength(max, { message: `At most ${max} characters.` }),
    Schema.isPattern(/^[A-Za-z0-9_-]+$/, { message: "Not base64url." })
  )

const credentialId = base64Url(1400).pipe(described("Id of the credential, base64url."))
const clientData = base64Url(12_000)

/** The JSON of `navigator.credentials.create()` (W3C Web Authentication, RegistrationResponseJSON). */
export const PasskeyRegistration = Schema.Struct({
  id: credentialId,
  rawId: credentialId,
  type: Schema.Literal("public-key"),
  response: Schema.Struct({
    clientDataJSON: clientData,
    attestationObject: base64Url(48_000),
    transports: Schema.optionalKey(Schema.Array(text(32)).check(Schema.isMaxLength(10, { message: "At most 10." })))
  })
}).annotate({
  identifier: "PasskeyRegistration",
  description: "The result of `navigator.credentials.create()` as JSON; other fields are ignored."
})
export type PasskeyRegistration = typeof PasskeyRegistration.Type

/** The JSON of `navigator.credentials.get()` (W3C Web Authentication, AuthenticationResponseJSON). */
export const PasskeyAssertion = Schema.Struct({
  id: credentialId,
  rawId: credentialId,
  type: Schema.Literal("public-key"),
  response: Schema.Struct({
    clientDataJSON: clientData,
    authenticatorData: base64Url(4_000),
    signature: base64Url(4_000),
    userHandle: Schema.optionalKey(Schema.NullOr(text(128)))
  })
}).annotate({
  identifier: "PasskeyAssertion",
  description: "The result of `navigator.credentials.get()` as JSON; other fields are ignored."
})
export type PasskeyAssertion = typeof PasskeyAssertion.Type

export const AddPasskey = Schema.Struct({
  name: required(Name(100)).pipe(described("1 to 100 characters on one line.")),
  response: required(PasskeyRegistration)
}).annotate({ identifier: "AddPasskey" })
export type AddPasskey = typeof AddPasskey.Type

export const Passkey = Schema.Struct({
  id: Id,
  name: Schema.String,
  createdAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Passkey", description: "A passkey of the user." })
export type Passkey = typeof Passkey.Type

const credential = Schema.Struct({
  type: Schema.Literal("public-key"),
  id: Schema.String,
  transports: Schema.Array(Schema.String)
})
const challenge = Schema.String.pipe(described("Valid once, for five minutes."))
const timeout = Schema.Int.pipe(described("Milliseconds."))

export const PasskeyCreation = Schema.Struct({
  challenge,
  rp: Schema.Struct({ id: Schema.String, name: Schema.String }),
  user: Schema.Struct({ id: Schema.String, name: Schema.String, displayName: Schema.String }),
  pubKeyCredParams: Schema.Array(Schema.Struct({ type: Schema.Literal("public-key"), alg: Schema.Int })),
  timeout,
  attestation: Schema.Literal("none"),
  authenticatorSelection: Schema.Struct({
    residentKey: Schema.Literal("preferred"),
    requireResidentKey: Schema.Boolean,
    userVerification: Schema.Literal("preferred")
  }),
  excludeCredentials: Schema.Array(credential)
}).annotate({
  identifier: "PasskeyCreation",
  description: "For `navigator.credentials.create()`, by `PublicKeyCredential.parseCreationOptionsFromJSON()`."
})
export type PasskeyCreation = typeof PasskeyCreation.Type

const PendingToken = Schema.String.check(Schema.isMaxLength(200, { message: "At most 200 characters." }))

/** Body of `POST /auth/passkey/options`. */
export const AskPasskey = Schema.Struct({
  token: Schema.optionalKey(PendingToken).pipe(
    described("The token of a login that needs a second factor. Without it, the passkey logs in alone.")
  )
}).annotate({ identifier: "AskPasskey" })
export type AskPasskey = typeof AskPasskey.Type

export const PasskeyRequest = Schema.Struct({
  challenge,
  rpId: Schema.String,
  timeout,
  userVerification: Schema.Literals(["preferred", "required"]),
  allowCredentials: Schema.Array(credential)
}).annotate({
  identifier: "PasskeyRequest",
  description: "For `navigator.credentials.get()`, by `PublicKeyCredential.parseRequestOptionsFromJSON()`."
})
export type PasskeyRequest = typeof PasskeyRequest.Type

/** Body of `POST /auth/passkey`. */
export const PasskeyLogin = Schema.Struct({
  response: required(PasskeyAssertion),
  token: Schema.optionalKey(PendingToken).pipe(
    described(
      "The token of a login that needs a second factor. Without it, the authenticator must have verified its user."
    )
  )
}).annotate({ identifier: "PasskeyLogin" })
export type PasskeyLogin = typeof PasskeyLogin.Type

const isOne = Schema.makeFilter<{ readonly code?: string; readonly recoveryCode?: string; readonly passkey?: object }>(
  ({ code, recoveryCode, passkey }) =>
    [code, recoveryCode, passkey].filter((given) => given !== undefined).length === 1,
  { message: "Exactly one of code, recoveryCode and passkey." }
)

/** Body of `POST /auth/two-factor`. */
export const SecondFactor = Schema.Struct({
  token: required(PendingToken).pipe(described("From the details of `TWO_FACTOR_REQUIRED`.")),
  code: Schema.optionalKey(Code),
  recoveryCode: Schema.optionalKey(RecoveryCode),
  passkey: Schema.optionalKey(PasskeyAssertion)
})
  .check(isOne)
  .annotate({ identifier: "SecondFactor", description: "The token and one second factor." })
export type SecondFactor = typeof SecondFactor.Type

export const SecondFactorMethod = Schema.Literals(["totp", "recoveryCode", "passkey"])
export type SecondFactorMethod = typeof SecondFactorMethod.Type

/**
 * The password was right and a second factor is needed. `token` continues the login, for 10 minutes and five attempts.
 */
export class SecondFactorRequired extends Schema.TaggedError<SecondFactorRequired>()("TWO_FACTOR_REQUIRED", {
  token: Schema.String,
  methods: Schema.Array(SecondFactorMethod)
}) {
  override readonly message = "This account needs a second factor to log in."
}

export class WrongSecondFactor extends InvalidCredentials {
  override readonly message = "The second factor is wrong or was already used."
}

/** The login is unknown, used or expired, or had too many attempts. */
export class LoginExpired extends InvalidToken {
  override readonly message =
    "This login has ended: it took longer than 10 minutes or more than five attempts. Log in again."
}

/** No passkey, an expired challenge, or an answer that does not verify. The error does not say which. */
export class PasskeyRefused extends InvalidCredentials {
  override readonly message = "The passkey was not accepted."
}
