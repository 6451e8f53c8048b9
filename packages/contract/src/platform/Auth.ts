/** Authentication: the project behind a key, or the user and project behind a session. */
import { Context, Schema } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { BadRequest, BatchIndex, envelope, RateLimitExceeded, ResourceNotFound } from "./Errors.ts"
import { Id } from "./Primitives.ts"

export const ProjectId = Id.pipe(Schema.brand("ProjectId"))
export type ProjectId = typeof ProjectId.Type

export const AccountId = Id.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** The roles of a member, highest first. */
export const MemberRole = Schema.Literals(["OWNER", "ADMIN", "MEMBER"])
export type MemberRole = typeof MemberRole.Type

/** Why a project is disabled. */
export const DisabledReason = Schema.Literals(["PAYMENT_FAILED", "EMAIL_REPUTATION", "PHISHING_DETECTED", "MANUAL"])
export type DisabledReason = typeof DisabledReason.Type

/**
 * The project that a request acts for. Handlers pass its id to services; services never look it up themselves. A
 * service, because the check of the key provides it for each request.
 */
export class CurrentProject extends Context.Service<
  CurrentProject,
  { readonly id: ProjectId; readonly disabled: DisabledReason | null }
>()("@posthorn/contract/Auth/CurrentProject") {}

/** The user of the session. A service, because the check of the session provides it for each request. */
export class CurrentUser extends Context.Service<
  CurrentUser,
  {
    readonly id: AccountId
    readonly email: string
    readonly emailVerified: boolean
    /** Whether a login of the account needs a second factor. */
    readonly hasTwoFactors: boolean
    /** Id of the session. */
    readonly session: string
  }
>()("@posthorn/contract/Auth/CurrentUser") {}

/** The API key of a request. */
export interface ApiKeyHolder {
  readonly id: string
  readonly name: string
  /** `TEST`: mail of the key is processed but not sent. */
  readonly mode: "LIVE" | "TEST"
  readonly scopes: ReadonlyArray<string>
  /** If not empty, the sender of a send must be at one of these domains. */
  readonly senderDomains: ReadonlyArray<string>
}

export type ActorOf =
  | { readonly kind: "key"; readonly isPublic?: true; readonly apiKey?: ApiKeyHolder }
  | { readonly kind: "member"; readonly user: AccountId; readonly role: MemberRole }
  | { readonly kind: "host"; readonly user: string; readonly role: MemberRole }

/**
 * The actor for the project: its secret key or a caller within the process, an API key (`apiKey`), its public key, a
 * member, or a user of the application that embeds the service (`host`), who has no account here.
 */
export const Actor = Context.Reference<ActorOf>("@posthorn/contract/Auth/Actor", {
  defaultValue: () => ({ kind: "key" })
})

/** The API key of a request, if it has one. */
export const apiKeyOf = (actor: ActorOf): ApiKeyHolder | undefined => (actor.kind === "key" ? actor.apiKey : undefined)

const challenges = {
  missing: "No API key was sent.",
  malformed: "The API key is malformed.",
  public: "This endpoint needs the secret key, not the public key.",
  secret: "This endpoint needs the public key, not the secret key.",
  unknown: "The API key is unknown.",
  expired: "The API key has expired."
}

/** Always 401. `reason` distinguishes a missing, malformed, unknown or expired key and the wrong kind of key. */
export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>()("INVALID_API_KEY", {
  reason: Schema.Literals(["missing", "malformed", "public", "secret", "unknown", "expired"])
}) {
  override readonly message = challenges[this.reason]
}

/** The session cookie is invalid, expired or revoked. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("UNAUTHORIZED", {}) {
  override readonly message = "There is no session, or it is no longer valid."
}

/** `requiredScope` with the reason `scope`: the missing scope, or null if no API key may call this. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("FORBIDDEN", {
  reason: Schema.Literals(["role", "origin", "recipient", "scope", "ip_not_allowed", "sender_domain", "own_request"]),
  requiredScope: Schema.optionalKey(Schema.NullOr(Schema.String)),
  domain: Schema.optionalKey(Schema.String),
  index: BatchIndex
}) {
  override readonly message = {
    role: "This requires a higher role in the project.",
    origin: "The request comes from a page that may not send it.",
    recipient: "This recipient is not allowed here.",
    scope:
      this.requiredScope === null
        ? "API keys cannot call this."
        : `The API key has no scope \`${this.requiredScope}\`.`,
    ip_not_allowed: "The API key is not accepted from this address.",
    sender_domain: `The API key may not send from the domain ${this.domain}.`,
    own_request: "Another administrator must decide this."
  }[this.reason]
}

export class ProjectAccessDenied extends Schema.TaggedError<ProjectAccessDenied>()("PROJECT_ACCESS_DENIED", {}) {
  override readonly message = "You are not a member of this project."
}

/** The deployment requires confirmed addresses, and the address of this user is not confirmed. */
export class EmailVerificationRequired extends Schema.TaggedError<EmailVerificationRequired>()(
  "EMAIL_VERIFICATION_REQUIRED",
  {}
) {
  override readonly message = "The email address of this account is not confirmed."
}

/** The project requires two-factor authentication, and the account of this user does not have it. */
export class TwoFactorRequired extends Schema.TaggedError<TwoFactorRequired>()("PROJECT_REQUIRES_TWO_FACTOR", {}) {
  override readonly message = "This requires an account with two-factor authentication."
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
      description:
        "The secret key of the project, `sk_` and 43 characters; or one of its API keys, `ph_live_` or `ph_test_` and 43 characters, for operations that its scopes allow. For servers only, never in a browser.",
      format: "sk_<43 characters base64url>"
    })
  )
)

const publicKey = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description: "The public key of the project, `pk_` and 43 characters. It may be part of client code.",
      format: "pk_<43 characters base64url>"
    })
  )
)

/** Accepts only `Authorization: Bearer` with the secret key or an API key. Guards `/v1/*`. */
export class SecretKey extends HttpApiMiddleware.Service<SecretKey, { provides: CurrentProject }>()(
  "@posthorn/contract/Auth/SecretKey",
  { security: { secretKey }, error: [...refusals, envelope(Forbidden)] }
) {}

/** The policy of a request with the public key. Undefined for all other requests, and for calls within the process. */
export const PublicKeyCall = Context.Reference<
  { readonly subscribe: boolean; readonly overwrite: boolean; readonly origins: ReadonlyArray<string> } | undefined
>("@posthorn/contract/Auth/PublicKeyCall", { defaultValue: () => undefined })

/** Accepts only `Authorization: Bearer pk_...`. Guards `POST /v1/track`. */
export class PublicKey extends HttpApiMiddleware.Service<PublicKey, { provides: CurrentProject }>()(
  "@posthorn/contract/Auth/PublicKey",
  { security: { publicKey }, error: [...refusals, envelope(Forbidden)] }
) {}

/**
 * Name of the session cookie. Where the public URL is https, the name has the prefix `__Host-` (RFC 6265bis 4.1.3.2).
 */
export const sessionCookie = "posthorn_session"

const session = HttpApiSecurity.apiKey({ key: sessionCookie, in: "cookie" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The session, set by the login. Over https its name is `__Host-posthorn_session`. On endpoints that also take the secret key, `X-Project-Id` names the project."
  )
)

/**
 * Guards project endpoints. Accepts the secret key, an API key with a scope that opens the operation, or the session cookie with `X-Project-Id`. A request with an
 * Authorization header ignores the cookie. Where the path names a project (`PathProject`), the path replaces the
 * header. `Roles.ts` has the role that each endpoint requires.
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
      envelope(TwoFactorRequired),
      envelope(EmailVerificationRequired)
    ]
  }
) {}

/** Annotation: the path parameter that repeats the project. A project other than the credential's is 404. */
export const PathProject = Context.Reference<string | undefined>("@posthorn/contract/Auth/PathProject", {
  defaultValue: () => undefined
})

/** Guards project endpoints for people: as `ProjectAccess`, but accepts only the session cookie with `X-Project-Id`. */
export class ProjectSession extends HttpApiMiddleware.Service<ProjectSession, { provides: CurrentProject }>()(
  "@posthorn/contract/Auth/ProjectSession",
  {
    security: { session },
    error: [
      envelope(Unauthorized),
      envelope(BadRequest),
      envelope(Forbidden),
      envelope(ProjectAccessDenied),
      envelope(ProjectDisabled),
      envelope(RateLimitExceeded),
      envelope(TwoFactorRequired),
      envelope(EmailVerificationRequired)
    ]
  }
) {}

const ofSession = [envelope(Unauthorized), envelope(Forbidden), envelope(RateLimitExceeded)] as const

/** Accepts only the session cookie and ignores an Authorization header. */
export class Session extends HttpApiMiddleware.Service<Session, { provides: CurrentUser }>()(
  "@posthorn/contract/Auth/Session",
  { security: { session }, error: ofSession }
) {}

/** Accepts the session cookie for one project of the user. The path parameter `id` is the id of the project. */
export class OwnProject extends HttpApiMiddleware.Service<OwnProject, { provides: CurrentProject | CurrentUser }>()(
  "@posthorn/contract/Auth/OwnProject",
  {
    security: { session },
    error: [...ofSession, envelope(ResourceNotFound), envelope(ProjectDisabled), envelope(TwoFactorRequired)]
  }
) {}

/** Guards endpoints that set or end a session without requiring one. Only pages of an allowed origin may call them. */
export class AllowedOrigin extends HttpApiMiddleware.Service<AllowedOrigin>()("@posthorn/contract/Auth/AllowedOrigin", {
  error: envelope(Forbidden)
}) {}
