/** Endpoints for signing up, logging in and resetting passwords. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedOrigin, Session } from "../../platform/Auth.ts"
import { envelope } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import {
  AccountAlreadyExists,
  Done,
  GivenToken,
  InvalidCredentials,
  InvalidToken,
  LoggedIn,
  Login,
  OauthConfig,
  RequestReset,
  ResetPassword,
  SignedUp,
  Signup,
  SignupsDisabled,
  TooManyAttempts,
  VerifiedEmail
} from "./Account.ts"
import { AskPasskey, PasskeyLogin, PasskeyRequest, SecondFactor, SecondFactorRequired } from "./SignInSecurity.ts"

const tooMany = envelope(TooManyAttempts)

export class AuthApi extends HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.post("login", "/login", {
      payload: body(Login),
      success: LoggedIn,
      error: [envelope(InvalidCredentials), envelope(SecondFactorRequired), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Log in",
        description:
          "Sets the session cookie. If the account has two-factor authentication: 401 `TWO_FACTOR_REQUIRED` without a cookie, and `POST /auth/two-factor` continues the login. After 5 failures of an account, or 20 from one network address, within 15 minutes: 429, even for the right password."
      })
    ),
    HttpApiEndpoint.post("twoFactor", "/two-factor", {
      payload: body(SecondFactor),
      success: LoggedIn,
      error: [envelope(InvalidToken), envelope(InvalidCredentials), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Log in with the second factor",
        description:
          "Takes the token of `TWO_FACTOR_REQUIRED`, valid for 10 minutes and five attempts, and a code of the authenticator app, a recovery code or a passkey. Sets the session cookie."
      })
    ),
    HttpApiEndpoint.post("passkeyOptions", "/passkey/options", {
      payload: body(AskPasskey),
      success: PasskeyRequest,
      error: [envelope(InvalidToken), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Start a login with a passkey",
        description:
          "Options for `navigator.credentials.get()`. The challenge is valid once, for five minutes. With the token of `TWO_FACTOR_REQUIRED` the passkey is the second factor of that login."
      })
    ),
    HttpApiEndpoint.post("passkey", "/passkey", {
      payload: body(PasskeyLogin),
      success: LoggedIn,
      error: [envelope(InvalidToken), envelope(InvalidCredentials), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Log in with a passkey",
        description:
          "No password is needed if the authenticator has verified its user, which counts as two factors. With the token of `TWO_FACTOR_REQUIRED`, as the second factor. Sets the session cookie."
      })
    ),
    HttpApiEndpoint.post("signup", "/signup", {
      payload: body(Signup),
      success: SignedUp.pipe(HttpApiSchema.status(201)),
      error: [envelope(SignupsDisabled), envelope(AccountAlreadyExists), envelope(InvalidToken), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign up",
        description:
          "Creates an account, logs it in and emails a link that confirms the address. At most 10 an hour from one network address. 403 `SIGNUPS_DISABLED` if the configuration closes sign-up, always or once there is an account; see `features.signups` of `GET /config`. With an invitation, sign-up is always possible."
      })
    ),
    HttpApiEndpoint.get("logout", "/logout", { success: Done }).annotateMerge(
      OpenApi.annotations({
        summary: "Log out",
        description: "Ends this session and clears its cookie. The response is the same without a session."
      })
    ),
    HttpApiEndpoint.get("oauthConfig", "/oauth-config", { success: OauthConfig }).annotateMerge(
      OpenApi.annotations({
        summary: "List the OAuth providers",
        description: "The providers that users of this deployment can log in with."
      })
    ),
    HttpApiEndpoint.post("verifyEmail", "/verify-email", {
      payload: body(GivenToken),
      success: VerifiedEmail,
      error: [envelope(InvalidToken), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Confirm an address",
        description:
          "Takes the token from the email, which is valid once, for 24 hours. The page behind the link also asks for the password of the account, and can delete an account that someone else created. After 20 wrong tokens of one network address within a minute: 429."
      })
    ),
    HttpApiEndpoint.post("requestPasswordReset", "/request-password-reset", {
      payload: body(RequestReset),
      success: Done,
      error: tooMany
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Request an email to reset the password",
        description:
          "The response is the same whether or not the account exists. Only existing accounts get an email, at most 3 an hour. After 20 requests of one network address within 15 minutes: 429."
      })
    ),
    HttpApiEndpoint.post("resetPassword", "/reset-password", {
      payload: body(ResetPassword),
      success: Done,
      error: [envelope(InvalidToken), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Set a new password",
        description:
          "Takes the token from the email, which is valid once, for one hour. Ends all sessions and confirms the address; does not log in. After 20 wrong tokens of one network address within a minute: 429."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(AllowedOrigin)
  .annotate(OpenApi.Description, "Logging in and out, signing up, confirming addresses, resetting passwords.")
  .prefix("/auth") {}

/** Endpoints under the same path that need a session. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.post("logoutAll", "/logout-all", { success: Done }).annotateMerge(
      OpenApi.annotations({
        summary: "Log out everywhere",
        description: "Ends every session of the user, including this one."
      })
    ),
    HttpApiEndpoint.post("requestVerification", "/request-verification", { success: Done }).annotateMerge(
      OpenApi.annotations({
        summary: "Request another confirmation email",
        description: "Earlier links stop working. At most 3 an hour; none if the address is already confirmed."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(Session)
  .annotate(OpenApi.Description, "The session of the user.")
  .prefix("/auth") {}
