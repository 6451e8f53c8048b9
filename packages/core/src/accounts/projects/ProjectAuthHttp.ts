/**
 * The checks of every project endpoint, in this order: key with its address and scope, or session; membership; rate
 * limit; disabled project; role.
 */
import {
  AccountId,
  Actor,
  type ActorOf,
  CurrentProject,
  CurrentUser,
  EmailVerificationRequired,
  Forbidden,
  InvalidApiKey,
  type MemberRole,
  OwnProject,
  PathProject,
  ProjectAccess,
  ProjectAccessDenied,
  ProjectDisabled,
  ProjectId,
  ProjectSession,
  PublicKey,
  PublicKeyCall,
  SecretKey,
  Session,
  TwoFactorRequired
} from "@posthorn/contract/platform/Auth"
import {
  BadRequest,
  envelope,
  ProjectResetting,
  RateLimitExceeded,
  ResourceNotFound,
  ServiceUnavailable
} from "@posthorn/contract/platform/Errors"
import { nilId } from "@posthorn/contract/platform/Primitives"
import { allowedWhileDisabled, isAtLeast, roleFor } from "@posthorn/contract/platform/Roles"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { RateLimiter } from "../../platform/http/RateLimiter.ts"
import { announceRetryAfter, respond } from "../../platform/http/Respond.ts"
import { Settings } from "../../platform/Settings.ts"
import * as Members from "../members/Members.ts"
import * as SessionCookie from "../people/SessionCookie.ts"
import { Sessions } from "../people/Sessions.ts"
import { type KeyCredential, type KeyKind, mostRefused } from "./ApiKeyCache.ts"
import { keyRefusal } from "./KeyRules.ts"
import { type ProjectStanding, ProjectStore } from "./ProjectStore.ts"
import { Projects } from "./Projects.ts"
import { type HostCaller, hostCallerIn, TrustedCaller } from "./TrustedCaller.ts"

interface Asked {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

const challenge: HttpEffect.PreResponseHandler = (_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "www-authenticate", "Bearer"))

const challenged = <A>(authenticated: Effect.Effect<A, InvalidApiKey>) =>
  Effect.tapError(authenticated, () => HttpEffect.appendPreResponseHandler(challenge))

/** A header that is present but has no bearer token is malformed, not missing. */
const bearerOf = (credential: Redacted.Redacted<string>) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const token = Redacted.value(credential)
    return token === "" && (headers["authorization"] ?? "").trim() !== "" ? "?" : token
  })

const encodeNotFound = Schema.encodeEffect(envelope(ResourceNotFound))
const encodeUnavailable = Schema.encodeEffect(envelope(ServiceUnavailable))

const noProject = (id: string) =>
  Effect.map(Effect.orDie(encodeNotFound(new ResourceNotFound({ resource: "project", id }))), respond)

const soon = Effect.map(Effect.orDie(encodeUnavailable(new ProjectResetting())), (body) =>
  HttpServerResponse.setHeader(respond(body), "retry-after", "5")
)

/** The project that the path names. Undefined when it names none. */
const named = ({ endpoint, group }: Asked) =>
  Effect.map(HttpRouter.RouteContext, ({ params }) => {
    const name = Context.get(Context.merge(group.annotations, endpoint.annotations), PathProject)
    return name === undefined ? undefined : (params[name] ?? "")
  })

interface Presented extends Asked {
  readonly credential: Redacted.Redacted<string>
  /** Another scheme is tried after this one. That one counts refusals. */
  readonly isTried?: boolean
}

const operationOf = ({ endpoint, group }: Asked) => [group.identifier, endpoint.identifier] as const

/** The id that the operation has in the OpenAPI document. */
const operationIdOf = ({ endpoint, group }: Asked) =>
  group.topLevel ? endpoint.identifier : `${group.identifier}.${endpoint.identifier}`

const refuseDisabled = ({ disabled }: ProjectStanding, asked: Asked) =>
  disabled !== null && asked.endpoint.method !== "GET" && !allowedWhileDisabled.has(operationOf(asked).join("."))
    ? Effect.fail(new ProjectDisabled({ reason: disabled }))
    : Effect.void

const refuseRole = (role: MemberRole, asked: Asked) =>
  isAtLeast(role, roleFor(...operationOf(asked))) ? Effect.void : Effect.fail(new Forbidden({ reason: "role" }))

const actingFor = <A, E, R>(app: Effect.Effect<A, E, R>, { id, disabled }: ProjectStanding, actor: ActorOf) =>
  app.pipe(Effect.provideService(CurrentProject, { id, disabled }), Effect.provideService(Actor, actor))

const withKey: ActorOf = { kind: "key" }
const withPublicKey: ActorOf = { kind: "key", isPublic: true }

const actorOf = (kind: KeyKind, { apiKey }: KeyCredential): ActorOf => {
  if (kind === "public") return withPublicKey
  return apiKey === undefined ? withKey : { kind: "key", apiKey }
}

/**
 * Counts wrong keys against the client address. Beyond the limit the response is 429. A correct key is never refused.
 */
const counted = Effect.gen(function* () {
  const { refused } = yield* Projects
  return Effect.fnUntraced(function* (error: InvalidApiKey) {
    const client = yield* ClientLimit.client
    const wait = client === undefined ? Option.none() : yield* refused(client)
    if (Option.isNone(wait) || error.reason === "missing") return yield* error
    const retryAfter = wait.value
    yield* announceRetryAfter(retryAfter)
    return yield* new RateLimitExceeded({ limit: mostRefused, retryAfter })
  })
})

/**
 * Browsers send the page's origin. A request without an origin is not from a browser, and its caller has the secret
 * key.
 */
const refuseOrigin = Effect.fnUntraced(function* ({ publicKeyPolicy: { origins } }: ProjectStanding) {
  if (origins.length === 0) return
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  if (!origins.includes(headers["origin"] ?? "")) return yield* new Forbidden({ reason: "origin" })
})

/** `admit` decides whether a key of this kind may be used. */
const keyOnly = <F>(
  kind: KeyKind,
  admit: (project: ProjectStanding) => Effect.Effect<void, F, HttpServerRequest.HttpServerRequest>
) =>
  Effect.gen(function* () {
    const { authenticate } = yield* Projects
    const limiter = yield* RateLimiter
    const projects = yield* ProjectStore
    const projectOf = yield* TrustedCaller

    const countRefusal = yield* counted

    const holderOf = (credential: Redacted.Redacted<string>) =>
      Effect.flatMap(bearerOf(credential), (key) => challenged(authenticate(kind, key)))

    /** Refuses what the API key does not allow, then counts the request against the limit of the key itself. */
    const admitApiKey = Effect.fnUntraced(function* ({ apiKey }: KeyCredential, asked: Asked) {
      if (apiKey === undefined) return
      const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
      const refused = keyRefusal(apiKey, operationIdOf(asked), Option.getOrUndefined(remoteAddress))
      if (refused !== undefined) return yield* refused
      if (apiKey.rateLimitPerMinute !== null) yield* limiter.takeOfKey(apiKey.id, apiKey.rateLimitPerMinute)
    })

    const projectOfRequest = Effect.fnUntraced(function* (
      credential: Redacted.Redacted<string>,
      isTried: boolean,
      asked: Asked
    ) {
      const trusted = projectOf((yield* HttpServerRequest.HttpServerRequest).source)
      if (typeof trusted !== "string") {
        const found = holderOf(credential)
        const project = yield* isTried ? found : Effect.catchTag(found, "INVALID_API_KEY", countRefusal)
        yield* admitApiKey(project, asked)
        yield* limiter.take(project.id, kind)
        yield* admit(project)
        return { project, actor: actorOf(kind, project) }
      }
      const project = yield* projects.find(trusted)
      if (Option.isNone(project)) return yield* new InvalidApiKey({ reason: "unknown" })
      return { project: project.value, actor: withKey }
    })

    return Effect.fnUntraced(function* <E, R>(
      app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      { credential, isTried = false, ...asked }: Presented
    ) {
      const { actor, project } = yield* projectOfRequest(credential, isTried, asked)
      const path = yield* named(asked)
      if (path !== undefined && path.toLowerCase() !== project.id) return yield* noProject(path)
      if (project.resetting) return yield* soon
      yield* refuseDisabled(project, asked)
      const acting = actingFor(app, project, actor)
      return yield* actor === withPublicKey
        ? Effect.provideService(acting, PublicKeyCall, project.publicKeyPolicy)
        : acting
    })
  })

/** A project and the rights of the key that named it. */
export interface AdmittedKey {
  readonly id: ProjectId
  /** The policy of the public key. Undefined for other keys, which a server has. */
  readonly policy: ProjectStanding["publicKeyPolicy"] | undefined
}

/** What the check of a key needs. */
export type KeyServices = Projects | ProjectStore | RateLimiter

/**
 * The same checks for a route outside of the API that takes a key of any kind. `operation` is what a scope of an API key
 * opens.
 */
export const anyKey = Effect.gen(function* () {
  const { authenticate } = yield* Projects
  const limiter = yield* RateLimiter
  const projects = yield* ProjectStore
  const projectOf = yield* TrustedCaller
  const countRefusal = yield* counted

  const standingOf = Effect.fnUntraced(function* (key: string, kind: KeyKind, operation: string) {
    const { remoteAddress, source } = yield* HttpServerRequest.HttpServerRequest
    const trusted = projectOf(source)
    if (typeof trusted === "string") {
      const found = yield* projects.find(trusted)
      return Option.isSome(found) ? found.value : yield* new InvalidApiKey({ reason: "unknown" })
    }
    const project = yield* Effect.catchTag(challenged(authenticate(kind, key)), "INVALID_API_KEY", countRefusal)
    const { apiKey } = project
    const refused = apiKey && keyRefusal(apiKey, operation, Option.getOrUndefined(remoteAddress))
    if (refused !== undefined) return yield* refused
    if (apiKey && apiKey.rateLimitPerMinute !== null) yield* limiter.takeOfKey(apiKey.id, apiKey.rateLimitPerMinute)
    yield* limiter.take(project.id, kind)
    if (kind === "public") yield* refuseOrigin(project)
    return project
  })

  return Effect.fnUntraced(function* (key: string, operation: string) {
    const kind = key.startsWith("pk_") ? "public" : "secret"
    const project = yield* standingOf(key, kind, operation)
    if (project.resetting) return yield* new ProjectResetting()
    if (project.disabled !== null) return yield* new ProjectDisabled({ reason: project.disabled })
    return {
      id: project.id,
      policy: kind === "public" ? project.publicKeyPolicy : undefined
    } satisfies AdmittedKey
  })
})

const secretKey = Layer.effect(
  SecretKey,
  Effect.map(
    keyOnly("secret", () => Effect.void),
    (secretKey) => SecretKey.of({ secretKey })
  )
)

const publicKey = Layer.effect(
  PublicKey,
  Effect.map(keyOnly("public", refuseOrigin), (publicKey) => PublicKey.of({ publicKey }))
)

/** The user of the host that the request is from. */
const hostCaller = Effect.gen(function* () {
  const callerOf = yield* TrustedCaller
  return Effect.map(HttpServerRequest.HttpServerRequest, ({ source }) => hostCallerIn(callerOf(source)))
})

/** The project of a user of the host, after the checks that a member passes too. */
const hostProject = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const projects = yield* ProjectStore
  return Effect.fnUntraced(function* ({ project: id, role }: HostCaller, asked: Asked) {
    const project = yield* projects.find(id)
    if (Option.isNone(project)) return yield* new ProjectAccessDenied()
    yield* limiter.take(id)
    if (project.value.resetting) return "resetting"
    yield* refuseDisabled(project.value, asked)
    yield* refuseRole(role, asked)
    return project.value
  })
})

const actingForHost = ({ role, user }: HostCaller): ActorOf => ({ kind: "host", user, role })

/** A user of the host has no account, so the id is the nil UUID (RFC 9562 5.9), which no account has. */
const withoutAccount: CurrentUser["Service"] = {
  id: AccountId.make(nilId),
  email: "",
  emailVerified: true,
  hasTwoFactors: false,
  session: ""
}

/** The user of the request's session. Removes a cookie without a session, and replaces an outdated cookie. */
const signedIn = Effect.gen(function* () {
  const sessions = yield* Sessions
  return Effect.gen(function* () {
    const cookie = yield* SessionCookie.sent
    const { user, renewed } = yield* Effect.tapError(sessions.authenticate(cookie), () => SessionCookie.clear)
    yield* SessionCookie.writesFromAllowedOrigin
    const isMoved = yield* SessionCookie.isUnprefixed
    if (Option.isSome(renewed) || isMoved) yield* SessionCookie.set(Option.getOrElse(renewed, () => cookie))
    return user
  })
})

const decodeId = Schema.decodeUnknownOption(ProjectId)

const projectHeader = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => headers["x-project-id"])

const noHeader = (received: string | undefined) =>
  new BadRequest({
    errors: [
      received === undefined
        ? { field: "X-Project-Id", code: "required", message: "The session needs a project." }
        : {
            field: "X-Project-Id",
            code: "invalid_string",
            message: "Not a valid id.",
            received: received.slice(0, 100)
          }
    ]
  })

/** Runs a request of a member with a session, or of a user of the host. */
const asPerson = Effect.gen(function* () {
  const signed = yield* signedIn
  const limiter = yield* RateLimiter
  const members = yield* Members.make
  const projects = yield* ProjectStore
  const { emailVerificationRequired } = yield* Settings
  const projectOfHost = yield* hostProject

  const withHost = Effect.fnUntraced(function* <E, R>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
    caller: HostCaller,
    asked: Asked
  ) {
    const path = yield* named(asked)
    if (path !== undefined && path.toLowerCase() !== caller.project) return yield* new ProjectAccessDenied()
    const project = yield* projectOfHost(caller, asked)
    return project === "resetting" ? yield* soon : yield* actingFor(app, project, actingForHost(caller))
  })

  const withSession = Effect.fnUntraced(function* <E, R>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
    asked: Asked
  ) {
    const user = yield* signed
    const path = yield* named(asked)
    const given = path ?? (yield* projectHeader)
    const id = decodeId(given)
    if (Option.isNone(id)) return path === undefined ? yield* noHeader(given) : yield* noProject(path)
    const role = yield* members.role(id.value, user.id)
    const project = yield* projects.find(id.value)
    if (Option.isNone(role) || Option.isNone(project)) {
      return path === undefined ? yield* new ProjectAccessDenied() : yield* noProject(path)
    }
    if (emailVerificationRequired && !user.emailVerified) return yield* new EmailVerificationRequired()
    if (project.value.requireTwoFactor && !user.hasTwoFactors) return yield* new TwoFactorRequired()
    yield* limiter.take(id.value)
    if (project.value.resetting) return yield* soon
    yield* refuseDisabled(project.value, asked)
    yield* refuseRole(role.value, asked)
    return yield* actingFor(app, project.value, { kind: "member", user: user.id, role: role.value })
  })

  return { withHost, withSession }
})

/**
 * Schemes are tried in order, and the response is the failure of the last one. So the session scheme repeats why the
 * key was refused.
 */
const projectAccess = Layer.effect(
  ProjectAccess,
  Effect.gen(function* () {
    const withKey = yield* keyOnly("secret", () => Effect.void)
    const host = yield* hostCaller
    const { withHost, withSession } = yield* asPerson

    return ProjectAccess.of({
      secretKey: Effect.fnUntraced(function* (app, asked) {
        if ((yield* host) !== undefined) return yield* new InvalidApiKey({ reason: "missing" })
        return yield* withKey(app, { ...asked, isTried: true })
      }),
      session: Effect.fnUntraced(function* (app, { endpoint, group }) {
        const caller = yield* host
        if (caller !== undefined) return yield* withHost(app, caller, { endpoint, group })
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const header = headers["authorization"]?.trim() ?? ""
        if (header !== "" || Redacted.value(yield* SessionCookie.sent) === "") {
          const credential = Redacted.make(/^bearer\s+(.+)$/i.exec(header)?.[1] ?? "")
          return yield* withKey(app, { credential, endpoint, group })
        }
        return yield* withSession(app, { endpoint, group })
      })
    })
  })
)

const projectSession = Layer.effect(
  ProjectSession,
  Effect.gen(function* () {
    const host = yield* hostCaller
    const { withHost, withSession } = yield* asPerson
    return ProjectSession.of({
      session: Effect.fnUntraced(function* (app, { endpoint, group }) {
        const caller = yield* host
        return yield* caller === undefined
          ? withSession(app, { endpoint, group })
          : withHost(app, caller, { endpoint, group })
      })
    })
  })
)

const session = Layer.effect(
  Session,
  Effect.gen(function* () {
    const signed = yield* signedIn
    const limiter = yield* RateLimiter
    return Session.of({
      session: Effect.fnUntraced(function* (app) {
        const user = yield* signed
        yield* limiter.takeOfUser(user.id)
        return yield* Effect.provideService(app, CurrentUser, user)
      })
    })
  })
)

const ownProject = Layer.effect(
  OwnProject,
  Effect.gen(function* () {
    const signed = yield* signedIn
    const limiter = yield* RateLimiter
    const members = yield* Members.make
    const projects = yield* ProjectStore
    const host = yield* hostCaller
    const projectOfHost = yield* hostProject

    const withHost = Effect.fnUntraced(function* <E, R>(
      app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      caller: HostCaller,
      asked: Asked
    ) {
      const { params } = yield* HttpRouter.RouteContext
      const id = params["id"] ?? ""
      const notFound = () => new ResourceNotFound({ resource: "project", id })
      if (id.toLowerCase() !== caller.project) return yield* notFound()
      const project = yield* Effect.catchTag(projectOfHost(caller, asked), "PROJECT_ACCESS_DENIED", notFound)
      if (project === "resetting") return yield* soon
      return yield* Effect.provideService(actingFor(app, project, actingForHost(caller)), CurrentUser, withoutAccount)
    })

    return OwnProject.of({
      session: Effect.fnUntraced(function* (app, asked) {
        const caller = yield* host
        if (caller !== undefined) return yield* withHost(app, caller, asked)
        const user = yield* signed
        yield* limiter.takeOfUser(user.id)
        const { params } = yield* HttpRouter.RouteContext
        const notFound = new ResourceNotFound({ resource: "project", id: params["id"] ?? "" })
        const id = decodeId(params["id"])
        const role = Option.isSome(id) ? yield* members.role(id.value, user.id) : Option.none()
        const project = Option.isSome(id) ? yield* projects.find(id.value) : Option.none()
        if (Option.isNone(role) || Option.isNone(project)) return yield* notFound
        if (project.value.requireTwoFactor && !user.hasTwoFactors) return yield* new TwoFactorRequired()
        yield* refuseDisabled(project.value, asked)
        yield* refuseRole(role.value, asked)
        const actor = { kind: "member", user: user.id, role: role.value } as const
        return yield* Effect.provideService(actingFor(app, project.value, actor), CurrentUser, user)
      })
    })
  })
)

export const layer: Layer.Layer<
  OwnProject | ProjectAccess | ProjectSession | PublicKey | SecretKey | Session,
  never,
  Members.Needs | Projects | ProjectStore | RateLimiter | Sessions
> = Layer.mergeAll(secretKey, publicKey, projectAccess, projectSession, session, ownProject)
