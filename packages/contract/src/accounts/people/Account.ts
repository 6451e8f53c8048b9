/** Accounts of people: requests, responses and errors of sign-up and login. */
import { Schema, SchemaIssue } from "effect"
import { AccountId } from "../../platform/Auth.ts"
import { described, EmailAddress, isLength, optional, required, Timestamp } from "../../platform/Primitives.ts"

/** In Unicode code points of the text in NFC. */
export const passwordLength = { min: 8, max: 200 } as const

const lengthOf = (password: string) => [...password.normalize("NFC")].length

const isPasswordLength = Schema.makeFilter<string>(
  (password) => {
    const length = lengthOf(password)
    if (length < passwordLength.min) {
      return new SchemaIssue.InvalidValue({ code: "too_small", message: `At least ${passwordLength.min} characters.` })
    }
    return length > passwordLength.max
      ? new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${passwordLength.max} characters.` })
      : true
  },
  { toJsonSchema: () => ({ minLength: passwordLength.min, maxLength: passwordLength.max }) }
)

/** A password to set. */
export const NewPassword = Schema.String.check(isPasswordLength)

/** A password to compare. Any length passes, so that a wrong password fails the login and not the validation. */
const GivenPassword = required(Schema.String.check(isLength(0, 10_000)))

const Token = required(Schema.String.check(isLength(0, 1_000))).pipe(
  described("The token of the link in the email; it works once.")
)

/** Body of `POST /auth/login`. */
export const Login = Schema.Struct({ email: required(EmailAddress), password: GivenPassword }).annotate({
  identifier: "Login"
})
export type Login = typeof Login.Type

/** Body of `POST /auth/signup`. */
export const Signup = Schema.Struct({
  email: required(EmailAddress),
  password: required(NewPassword).pipe(described("8 to 200 characters.")),
  invitationToken: optional(Schema.String.check(isLength(0, 1_000))).pipe(
    described(
      "Token of an invitation to this address: adds the membership at once, and works even if sign-up is closed."
    )
  )
}).annotate({ identifier: "Signup" })
export type Signup = typeof Signup.Type

export const GivenToken = Schema.Struct({ token: Token }).annotate({ identifier: "GivenToken" })
export type GivenToken = typeof GivenToken.Type

export const RequestReset = Schema.Struct({ email: required(EmailAddress) }).annotate({ identifier: "RequestReset" })
export type RequestReset = typeof RequestReset.Type

export const ResetPassword = Schema.Struct({
  token: Token,
  newPassword: required(NewPassword).pipe(described("8 to 200 characters."))
}).annotate({ identifier: "ResetPassword" })
export type ResetPassword = typeof ResetPassword.Type

export const ChangePassword = Schema.Struct({
  currentPassword: GivenPassword,
  newPassword: required(NewPassword).pipe(described("8 to 200 characters."))
}).annotate({ identifier: "ChangePassword" })
export type ChangePassword = typeof ChangePassword.Type

const answer = <S extends Schema.Top>(data: S) => Schema.Struct({ success: Schema.Literal(true), data })

export const Done = Schema.Struct({ success: Schema.Literal(true) }).annotate({
  identifier: "Done",
  description: "The action is done, or was not needed."
})
export const done = Done.make({ success: true })

export const LoggedIn = answer(Schema.Struct({ id: AccountId, email: Schema.String })).annotate({
  identifier: "LoggedIn",
  description: "The user who is now logged in. The session is in the cookie."
})

export const SignedUp = answer(
  Schema.Struct({ id: AccountId, email: Schema.String, emailVerified: Schema.Boolean })
).annotate({ identifier: "SignedUp", description: "The new account, logged in." })

export const OauthConfig = answer(
  Schema.Struct({ github: Schema.Boolean, google: Schema.Boolean, oidc: Schema.optionalKey(Schema.Boolean) })
).annotate({
  identifier: "OauthConfig",
  description: "The identity providers of this deployment."
})

export const VerifiedEmail = answer(Schema.Struct({ message: Schema.Literal("Email verified") })).annotate({
  identifier: "VerifiedEmail",
  description: "The address is confirmed."
})

export const AccountKind = Schema.Literals(["PASSWORD", "GITHUB_OAUTH", "GOOGLE_OAUTH", "OIDC"])
export type AccountKind = typeof AccountKind.Type

export const User = Schema.Struct({
  id: AccountId,
  email: Schema.String,
  emailVerified: Schema.Boolean,
  type: AccountKind.pipe(described("How the account was created.")),
  createdAt: Timestamp
}).annotate({ identifier: "User", description: "A person with an account." })
export type User = typeof User.Type

/** The same error for an unknown account, an account without password, and a wrong password. */
export class InvalidCredentials extends Schema.TaggedError<InvalidCredentials>()("INVALID_CREDENTIALS", {}) {
  override readonly message: string = "The email address or the password is wrong."
}

/** The token is unknown, used or expired. The error does not say which. */
export class InvalidToken extends Schema.TaggedError<InvalidToken>()("INVALID_TOKEN", {}) {
  override readonly message: string =
    "The link is not valid: it was already used, it has expired, or a newer one was sent."
}

export class SignupsDisabled extends Schema.TaggedError<SignupsDisabled>()("SIGNUPS_DISABLED", {}) {
  override readonly message = "This deployment does not accept new accounts."
}

export class AccountAlreadyExists extends Schema.TaggedError<AccountAlreadyExists>()("EMAIL_ALREADY_EXISTS", {
  email: Schema.String
}) {
  override readonly message = `An account with the address ${this.email} already exists.`
}

/** Too many logins, sign-ups or emails. `retryAfter` is in whole seconds. */
export class TooManyAttempts extends Schema.TaggedError<TooManyAttempts>()("RATE_LIMIT_EXCEEDED", {
  limit: Schema.Int,
  retryAfter: Schema.Int
}) {
  override readonly message = "Too many attempts. Wait before the next one."
}
