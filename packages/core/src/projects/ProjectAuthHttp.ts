/**
 * The checks in front of every project endpoint, in this order: key or session, membership, rate, disabled project, role
 * (contract 1.2, checks 4 to 7).
 */
import {
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
  PublicKey,
  SecretKey,
  Session
} from "@posthorn/contract/Auth"
import { BadRequest, envelope, ProjectResetting, ResourceNotFound, ServiceUnavailable } from "@posthorn/contract/Errors"
import { allowedWhileDisabled, isAtLeast, roleFor } from "@posthorn/contract/Roles"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as SessionCookie from "../accounts/SessionCookie.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { RateLimiter, UserRateLimiter } from "../http/RateLimiter.ts"
import { respond } from "../http/Respond.ts"
import { Members } from "../members/Members.ts"
import { Settings } from "../Settings.ts"
import { type KeyKind, KeyRing } from "./KeyRing.ts"
import { type ProjectStanding, ProjectStore } from "./ProjectStore.ts"
import { TrustedCaller } from "./TrustedCaller.ts"

interface Asked {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

const challenge: HttpEffect.PreResponseHandler = (_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "www-authenticate", "Bearer"))

const challenged = <A>(authenticated: Effect.Effect<A, InvalidApiKey>) =>
  Effect.tapError(authenticated, () => HttpEffect.appendPreResponseHandler(challenge))

/** A header that is there but is no bearer token is malformed, not missing. */
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

/** The project that the path names, where it names one. */
const named = ({ endpoint, group }: Asked) =>
  Effect.map(HttpRouter.RouteContext, ({ params }) => {
    const name = Context.get(Context.merge(group.annotations, endpoint.annotations), PathProject)
    return name === undefined ? undefined : (params[name] ?? "")
  })

const operationOf = ({ endpoint, group }: Asked) => [group.identifier, endpoint.identifier] as const

const refuseDisabled = ({ disabled }: ProjectStanding, asked: Asked) =>
  disabled !== null && asked.endpoint.method !== "GET" && !allowedWhileDisabled.has(operationOf(asked).join("."))
    ? Effect.fail(new ProjectDisabled({ reason: disabled }))
    : Effect.void

const refuseRole = (role: MemberRole, asked: Asked) =>
  isAtLeast(role, roleFor(...operationOf(asked))) ? Effect.void : Effect.fail(new Forbidden({ reason: "role" }))

const actingFor = <A, E, R>(app: Effect.Effect<A, E, R>, { id, disabled }: ProjectStanding, actor: ActorOf) =>
  app.pipe(Effect.provideService(CurrentProject, { id, disabled }), Effect.provideService(Actor, actor))

const keyOnly = (kind: KeyKind) =>
  Effect.gen(function* () {
    const ring = yield* KeyRing
    const limiter = yield* RateLimiter
    const projects = yield* ProjectStore
    const projectOf = yield* TrustedCaller

    const projectOfRequest = Effect.fnUntraced(function* (credential: Redacted.Redacted<string>) {
      const trusted = projectOf((yield* HttpServerRequest.HttpServerRequest).source)
      if (trusted === undefined) {
        const project = yield* challenged(ring.authenticate(kind, yield* bearerOf(credential)))
        yield* limiter.take(project.id)
        return project
      }
      const project = yield* projects.find(trusted)
      return Option.isSome(project) ? project.value : yield* new InvalidApiKey({ reason: "unknown" })
    })

    return Effect.fnUntraced(function* <E, R>(
      app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      { credential, ...asked }: Asked & { readonly credential: Redacted.Redacted<string> }
    ) {
      const project = yield* projectOfRequest(credential)
      const path = yield* named(asked)
      if (path !== undefined && path.toLowerCase() !== project.id) return yield* noProject(path)
      if (project.resetting) return yield* soon
      yield* refuseDisabled(project, asked)
      return yield* actingFor(app, project, { kind: "key" })
    })
  })

const secretKey = Layer.effect(
  SecretKey,
  Effect.map(keyOnly("secret"), (secretKey) => SecretKey.of({ secretKey }))
)

const publicKey = Layer.effect(
  PublicKey,
  Effect.map(keyOnly("public"), (publicKey) => PublicKey.of({ publicKey }))
)

/** Whose session the cookie is; one that is none is taken away, an older one replaced. */
const signedIn = Effect.gen(function* () {
  const sessions = yield* Sessions
  return Effect.fnUntraced(function* (cookie: Redacted.Redacted<string>) {
    const { user, renewed } = yield* Effect.tapError(sessions.authenticate(cookie), () => SessionCookie.clear)
    yield* SessionCookie.writesFromAllowedOrigin
    if (Option.isSome(renewed)) yield* SessionCookie.set(renewed.value)
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

/** Schemes are tried in order and the last failure answers, so the session repeats what the key was refused for. */
const projectAccess = Layer.effect(
  ProjectAccess,
  Effect.gen(function* () {
    const withKey = yield* keyOnly("secret")
    const signed = yield* signedIn
    const limiter = yield* RateLimiter
    const members = yield* Members
    const projects = yield* ProjectStore
    const { emailVerificationRequired } = yield* Settings

    const withSession = Effect.fnUntraced(function* <E, R>(
      app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      { credential, ...asked }: Asked & { readonly credential: Redacted.Redacted<string> }
    ) {
      const user = yield* signed(credential)
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
      yield* limiter.take(id.value)
      if (project.value.resetting) return yield* soon
      yield* refuseDisabled(project.value, asked)
      yield* refuseRole(role.value, asked)
      return yield* actingFor(app, project.value, { kind: "member", user: user.id, role: role.value })
    })

    return ProjectAccess.of({
      secretKey: withKey,
      session: Effect.fnUntraced(function* (app, { credential: cookie, endpoint, group }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const header = headers["authorization"]?.trim() ?? ""
        if (header !== "" || Redacted.value(cookie) === "") {
          const credential = Redacted.make(/^bearer\s+(.+)$/i.exec(header)?.[1] ?? "")
          return yield* withKey(app, { credential, endpoint, group })
        }
        return yield* withSession(app, { credential: cookie, endpoint, group })
      })
    })
  })
)

const session = Layer.effect(
  Session,
  Effect.gen(function* () {
    const signed = yield* signedIn
    const limiter = yield* UserRateLimiter
    return Session.of({
      session: Effect.fnUntraced(function* (app, { credential }) {
        const user = yield* signed(credential)
        yield* limiter.take(user.id)
        return yield* Effect.provideService(app, CurrentUser, user)
      })
    })
  })
)

const ownProject = Layer.effect(
  OwnProject,
  Effect.gen(function* () {
    const signed = yield* signedIn
    const limiter = yield* UserRateLimiter
    const members = yield* Members
    const projects = yield* ProjectStore
    return OwnProject.of({
      session: Effect.fnUntraced(function* (app, { credential, ...asked }) {
        const user = yield* signed(credential)
        yield* limiter.take(user.id)
        const { params } = yield* HttpRouter.RouteContext
        const notFound = new ResourceNotFound({ resource: "project", id: params["id"] ?? "" })
        const id = decodeId(params["id"])
        const role = Option.isSome(id) ? yield* members.role(id.value, user.id) : Option.none()
        const project = Option.isSome(id) ? yield* projects.find(id.value) : Option.none()
        if (Option.isNone(role) || Option.isNone(project)) return yield* notFound
        yield* refuseDisabled(project.value, asked)
        yield* refuseRole(role.value, asked)
        const actor = { kind: "member", user: user.id, role: role.value } as const
        return yield* Effect.provideService(actingFor(app, project.value, actor), CurrentUser, user)
      })
    })
  })
)

export const layer: Layer.Layer<
  OwnProject | ProjectAccess | PublicKey | SecretKey | Session,
  never,
  KeyRing | Members | ProjectStore | RateLimiter | Sessions | UserRateLimiter
> = Layer.mergeAll(secretKey, publicKey, projectAccess, session, ownProject)
