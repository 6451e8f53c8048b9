/** Endpoints for the user's sessions, two-factor authentication and passkeys. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Session } from "../../platform/Auth.ts"
import { Conflict, envelope, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import { InvalidCredentials, TooManyAttempts } from "./Account.ts"
import {
  AccountSession,
  AddPasskey,
  ConfirmTotp,
  Passkey,
  PasskeyCreation,
  RecoveryCodes,
  RemoveTotp,
  SetUpTotp,
  TotpSecret,
  TwoFactorState
} from "./SignInSecurity.ts"

/** Not parsed as an id: any other text is the same 404. */
const params = { id: Schema.String.annotate({ format: "uuid" }) }
const noContent = HttpApiSchema.NoContent
const tooMany = envelope(TooManyAttempts)

export class AccountSessionsApi extends HttpApiGroup.make("accountSessions")
  .add(
    HttpApiEndpoint.get("list", "/sessions", {
      success: Schema.Array(AccountSession).annotate({ description: "The most recently used first." })
    }).annotateMerge(OpenApi.annotations({ summary: "List the user's sessions", description: "Every open session." })),
    HttpApiEndpoint.delete("remove", "/sessions/:id", {
      params,
      success: noContent,
      error: envelope(ResourceNotFound)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "End a session",
        description: "Its next request is refused, in every process. It may be the session of the request."
      })
    ),
    HttpApiEndpoint.delete("removeOthers", "/sessions", { success: noContent }).annotateMerge(
      OpenApi.annotations({
        summary: "End all other sessions",
        description: "All sessions except that of the request. Their next requests are refused, in every process."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(Session)
  .annotate(OpenApi.Description, "The open sessions of the user.")
  .prefix("/users/@me") {}

export class TwoFactorApi extends HttpApiGroup.make("twoFactor")
  .add(
    HttpApiEndpoint.get("state", "/two-factor", { success: TwoFactorState }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the factors of the account",
        description: "Whether a login needs a second factor, and how many recovery codes and passkeys there are."
      })
    ),
    HttpApiEndpoint.post("setUp", "/two-factor/totp", {
      payload: body(SetUpTotp),
      success: TotpSecret,
      error: [envelope(InvalidCredentials), envelope(Conflict), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Start the setup of two-factor authentication",
        description:
          "A new secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). Nothing changes until a code confirms it. Requires the password; an account without one can set it by a password reset."
      })
    ),
    HttpApiEndpoint.post("confirm", "/two-factor/totp/confirm", {
      payload: body(ConfirmTotp),
      success: RecoveryCodes,
      error: [envelope(InvalidCredentials), envelope(Conflict), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Turn on two-factor authentication",
        description:
          "Needs a code of the app. From now on each login needs a second factor. Ends all other sessions and emails the user."
      })
    ),
    HttpApiEndpoint.delete("remove", "/two-factor/totp", {
      payload: body(RemoveTotp),
      success: noContent,
      error: [envelope(InvalidCredentials), envelope(Conflict), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Turn off two-factor authentication",
        description: "Needs the password, and a code of the app or a recovery code. Emails the user."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(Session)
  .annotate(OpenApi.Description, "The second factor of the user's logins.")
  .prefix("/users/@me") {}

export class PasskeysApi extends HttpApiGroup.make("passkeys")
  .add(
    HttpApiEndpoint.post("options", "/passkeys/options", {
      success: PasskeyCreation,
      error: [envelope(Conflict), tooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Start adding a passkey",
        description:
          "Options for `navigator.credentials.create()`. The challenge is valid once, for five minutes, in this session. An account has at most 20 passkeys."
      })
    ),
    HttpApiEndpoint.post("add", "/passkeys", {
      payload: body(AddPasskey),
      success: Passkey.pipe(HttpApiSchema.status(201)),
      error: [envelope(InvalidCredentials), envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add a passkey",
        description: "Takes the result of the browser. Emails the user."
      })
    ),
    HttpApiEndpoint.get("list", "/passkeys", {
      success: Schema.Array(Passkey).annotate({ description: "Oldest first." })
    }).annotateMerge(OpenApi.annotations({ summary: "List the user's passkeys", description: "The oldest first." })),
    HttpApiEndpoint.delete("remove", "/passkeys/:id", {
      params,
      success: noContent,
      error: envelope(ResourceNotFound)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove a passkey",
        description: "The passkey can no longer log in. Emails the user."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(Session)
  .annotate(OpenApi.Description, "Passkeys of the user: keys on devices, for login without a password.")
  .prefix("/users/@me") {}
