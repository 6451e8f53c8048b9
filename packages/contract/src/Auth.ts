/** Who asks: the project behind the key, or behind the session. */
import { Context, Schema } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { BadRequest, envelope, RateLimitExceeded } from "./Errors.ts"
import { Id } from "./Wire.ts"

export const ProjectId = Id.pipe(Schema.brand("ProjectId"))
export type ProjectId = typeof ProjectId.Type

/** Why a project is disabled (contract-2 10.1). */
export const DisabledReason = Schema.Literals(["PAYMENT_FAILED", "EMAIL_REPUTATION", "PHISHING_DETECTED", "MANUAL"])
export type DisabledReason = typeof DisabledReason.Type

/** The project a request acts for; handlers pass its id on, services never look it up themselves. */
export class CurrentProject extends Context.Service<
  CurrentProject,
  { readonly id: ProjectId; readonly disabled: DisabledReason | null }
>()("@posthorn/contract/Auth/CurrentProject") {}

const challenges = {
  missing: "No API key was sent.",
  malformed: "The API key is malformed.",
  public: "This endpoint takes the secret key, not the public one.",
  secret: "This endpoint takes the public key, not the secret one.",
  unknown: "The API key is unknown."
}

/** Always 401; `reason` tells a missing, malformed and unknown key and the wrong kind of key apart (contract 2). */
export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>()("INVALID_API_KEY", {
  reason: Schema.Literals(["missing", "malformed", "public", "secret", "unknown"])
}) {
  override readonly message = challenges[this.reason]
}

/** A session cookie that is invalid, expired or revoked. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("UNAUTHORIZED", {}) {
  override readonly message = "The session is not valid any more."
}

export class Forbidden extends Schema.TaggedError<Forbidden>()("FORBIDDEN", {
  reason: Schema.Literals(["role", "origin", "recipient"])
}) {
  override readonly message = {
    role: "This takes a higher role in the project.",
    origin: "The request comes from a page that is not allowed to make it.",
    recipient: "This recipient is not allowed here."
  }[this.reason]
}

export class ProjectAccessDenied extends Schema.TaggedError<ProjectAccessDenied>()("PROJECT_ACCESS_DENIED", {}) {
  override readonly message = "You are not a member of this project."
}

export class ProjectDisabled extends Schema.TaggedError<ProjectDisabled>()("PROJECT_DISABLED", {
  reason: DisabledReason
}) {
  override readonly message = "The project is disabled; it can be read but not changed."
}

const refusals = [envelope(InvalidApiKey), envelope(ProjectDisabled), envelope(RateLimitExceeded)] as const

const secretKey = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description: "The secret key of the project, `sk_` and 43 characters. For servers only, never in a browser.",
      format: "sk_<43 characters base64url>"
    })
  )
)

const publicKey = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description: "The public key of the project, `pk_` and 43 characters. It may be shipped in client code.",
      format: "pk_<43 characters base64url>"
    })
  )
)

/** `Authorization: Bearer sk_...` and nothing else: `/v1/*` (contract 2). */
export class SecretKey extends HttpApiMiddleware.Service<SecretKey, { provides: CurrentProject }>()(
  "@posthorn/contract/Auth/SecretKey",
  { security: { secretKey }, error: refusals }
) {}

/** `Authorization: Bearer pk_...` and nothing else: `POST /v1/track`. */
export class PublicKey extends HttpApiMiddleware.Service<PublicKey, { provides: CurrentProject }>()(
  "@posthorn/contract/Auth/PublicKey",
  { security: { publicKey }, error: refusals }
) {}

/** Name of the session cookie (contract-2 9.1). */
export const sessionCookie = "posthorn_session"

const session = HttpApiSecurity.apiKey({ key: sessionCookie, in: "cookie" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The session of the dashboard, set by the login. On endpoints that also take the secret key, `X-Project-Id` names the project."
  )
)

/**
 * Project endpoints: the secret key, or the session cookie with `X-Project-Id` (contract 2). With an Authorization
 * header the cookie is ignored.
 */
export class ProjectAccess extends HttpApiMiddleware.Service<ProjectAccess, { provides: CurrentProject }>()(
  "@posthorn/contract/Auth/ProjectAccess",
  {
    security: { secretKey, session },
    error: [
      ...refusals,
      envelope(Unauthorized),
      envelope(BadRequest),
      envelope(Forbidden),
      envelope(ProjectAccessDenied)
    ]
  }
) {}
