/** Who asks: the project behind the key, or behind the session. */
import { Context, Schema } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { BadRequest, envelope, RateLimitExceeded, ResourceNotFound } from "./Errors.ts"
import { Id } from "./Wire.ts"

export const ProjectId = Id.pipe(Schema.brand("ProjectId"))
export type ProjectId = typeof ProjectId.Type

export const AccountId = Id.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** The roles of a member, from the highest (contract-2 11.1). */
export const MemberRole = Schema.Literals(["OWNER", "ADMIN", "MEMBER"])
export type MemberRole = typeof MemberRole.Type

/** Why a project is disabled (contract-2 10.1). */
export const DisabledReason = Schema.Literals(["PAYMENT_FAILED", "EMAIL_REPUTATION", "PHISHING_DETECTED", "MANUAL"])
export type DisabledReason = typeof DisabledReason.Type

/** The project a request acts for; handlers pass its id on, services never look it up themselves. */
export class CurrentProject extends Context.Service<
  CurrentProject,
  { readonly id: ProjectId; readonly disabled: DisabledReason | null }
>()("@posthorn/contract/Auth/CurrentProject") {}

/** Whose session it is. */
export class CurrentUser extends Context.Service<
  CurrentUser,
  {
    readonly id: AccountId
    readonly email: string
    readonly emailVerified: boolean
    /** Id of the session. */
    readonly session: string
  }
>()("@posthorn/contract/Auth/CurrentUser") {}

export type ActorOf =
  | { readonly kind: "key" }
  | { readonly kind: "member"; readonly user: AccountId; readonly role: MemberRole }

/** Who acts for the project: whoever holds its secret key, or a member. */
export const Actor = Context.Reference<ActorOf>("@posthorn/contract/Auth/Actor", {
  defaultValue: () => ({ kind: "key" })
})

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
  override readonly message = "There is no session, or it is not valid any more."
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

/** The deployment asks for confirmed addresses, and this user's is not (contract-2 9.3). */
export class EmailVerificationRequired extends Schema.TaggedError<EmailVerificationRequired>()(
  "EMAIL_VERIFICATION_REQUIRED",
  {}
) {
  override readonly message = "The email address of this account has not been confirmed."
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
 * header the cookie is ignored. Where the path names a project (`PathProject`), the path says it instead of the header.
 * Roles: the table in `Roles.ts`.
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
      envelope(ProjectAccessDenied),
      envelope(EmailVerificationRequired)
    ]
  }
) {}

/** Annotation: name of the path parameter that repeats the project. Another one than the credential's is 404. */
export const PathProject = Context.Reference<string | undefined>("@posthorn/contract/Auth/PathProject", {
  defaultValue: () => undefined
})

const ofSession = [envelope(Unauthorized), envelope(Forbidden), envelope(RateLimitExceeded)] as const

/** The session cookie and nothing else; an Authorization header is ignored (contract-2 1, **C**). */
export class Session extends HttpApiMiddleware.Service<Session, { provides: CurrentUser }>()(
  "@posthorn/contract/Auth/Session",
  { security: { session }, error: ofSession }
) {}

/** The session cookie, for one project of the user, whose id is the parameter `id` of the path. */
export class OwnProject extends HttpApiMiddleware.Service<OwnProject, { provides: CurrentProject | CurrentUser }>()(
  "@posthorn/contract/Auth/OwnProject",
  {
    security: { session },
    error: [...ofSession, envelope(ResourceNotFound), envelope(ProjectDisabled)]
  }
) {}

/** Endpoints that set or end a session without having one: only for pages that may call them (contract-2 9.2). */
export class AllowedOrigin extends HttpApiMiddleware.Service<AllowedOrigin>()("@posthorn/contract/Auth/AllowedOrigin", {
  error: envelope(Forbidden)
}) {}
