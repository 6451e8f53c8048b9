/** Sessions and sign-in (contract-2 9.3). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedOrigin, Session } from "../Auth.ts"
import { envelope } from "../Errors.ts"
import { JsonBody, Validation } from "../Request.ts"
import { body } from "../Wire.ts"
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

const tooMany = envelope(TooManyAttempts)

export class AuthApi extends HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.post("login", "/login", {
      payload: body(Login),
      success: LoggedIn,
      error: [envelope(InvalidCredentials), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Log in",
        description:
          "Sets the session cookie. After 5 failures of an account, or 20 from one network address, within 15 minutes: 429, also for the right password."
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
          "Makes an account, logs it in and mails a link that confirms the address. At most 10 an hour from one network address."
      })
    ),
    HttpApiEndpoint.get("logout", "/logout", { success: Done }).annotateMerge(
      OpenApi.annotations({
        summary: "Log out",
        description: "Ends this session and clears its cookie; without a session the answer is the same."
      })
    ),
    HttpApiEndpoint.get("oauthConfig", "/oauth-config", { success: OauthConfig }).annotateMerge(
      OpenApi.annotations({
        summary: "See which OAuth providers there are",
        description: "Which providers this deployment can log people in with."
      })
    ),
    HttpApiEndpoint.post("verifyEmail", "/verify-email", {
      payload: body(GivenToken),
      success: VerifiedEmail,
      error: envelope(InvalidToken)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Confirm an address",
        description: "With the token of the mail: good for 24 hours, and once."
      })
    ),
    HttpApiEndpoint.post("requestPasswordReset", "/request-password-reset", {
      payload: body(RequestReset),
      success: Done
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Ask for a mail to reset the password",
        description: "Always the same answer. A mail goes only to accounts that exist, at most 3 an hour."
      })
    ),
    HttpApiEndpoint.post("resetPassword", "/reset-password", {
      payload: body(ResetPassword),
      success: Done,
      error: envelope(InvalidToken)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Set a new password",
        description:
          "With the token of the mail: good for one hour, and once. Ends all sessions and confirms the address; logs nobody in."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(AllowedOrigin)
  .annotate(OpenApi.Description, "Logging in and out, signing up, confirming addresses, resetting passwords.")
  .prefix("/auth") {}

/** What takes a session under the same path. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.post("logoutAll", "/logout-all", { success: Done }).annotateMerge(
      OpenApi.annotations({
        summary: "Log out everywhere",
        description: "Ends every session of the user, this one too."
      })
    ),
    HttpApiEndpoint.post("requestVerification", "/request-verification", { success: Done }).annotateMerge(
      OpenApi.annotations({
        summary: "Ask for the confirmation mail again",
        description:
          "The links sent before stop working. At most 3 an hour; none when the address is confirmed already."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(Session)
  .annotate(OpenApi.Description, "The session of the user.")
  .prefix("/auth") {}
