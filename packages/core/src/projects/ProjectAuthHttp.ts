/** The checks in front of every project endpoint: key or session, rate, disabled project (contract 1.2, checks 4 to 6). */
import {
  CurrentProject,
  InvalidApiKey,
  ProjectAccess,
  ProjectDisabled,
  PublicKey,
  SecretKey,
  Unauthorized
} from "@posthorn/contract/Auth"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { RateLimiter } from "../http/RateLimiter.ts"
import { type KeyKind, KeyRing } from "./KeyRing.ts"
import { ProjectStore } from "./ProjectStore.ts"
import { TrustedCaller } from "./TrustedCaller.ts"

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

/** Lets a request act for its project, unless it would change what is disabled. */
const actingFor = <A, E, R>(
  app: Effect.Effect<A, E, R>,
  project: CurrentProject["Service"],
  { method }: HttpApiEndpoint.Top
) =>
  project.disabled !== null && method !== "GET"
    ? Effect.fail(new ProjectDisabled({ reason: project.disabled }))
    : Effect.provideService(app, CurrentProject, project)

const keyOnly = (kind: KeyKind) =>
  Effect.gen(function* () {
    const ring = yield* KeyRing
    const limiter = yield* RateLimiter
    const projects = yield* ProjectStore
    const projectOf = yield* TrustedCaller
    return Effect.fnUntraced(function* <A, E, R>(
      app: Effect.Effect<A, E, R>,
      {
        credential,
        endpoint
      }: { readonly credential: Redacted.Redacted<string>; readonly endpoint: HttpApiEndpoint.Top }
    ) {
      const trusted = projectOf((yield* HttpServerRequest.HttpServerRequest).source)
      if (trusted !== undefined) {
        const project = yield* projects.find(trusted)
        if (Option.isNone(project)) return yield* new InvalidApiKey({ reason: "unknown" })
        return yield* actingFor(app, project.value, endpoint)
      }
      const project = yield* challenged(ring.authenticate(kind, yield* bearerOf(credential)))
      yield* limiter.take(project.id)
      return yield* actingFor(app, project, endpoint)
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

/** Schemes are tried in order and the last failure answers, so the session repeats what the key was refused for. */
const projectAccess = Layer.effect(
  ProjectAccess,
  Effect.gen(function* () {
    const withKey = yield* keyOnly("secret")
    return ProjectAccess.of({
      secretKey: withKey,
      session: Effect.fnUntraced(function* (app, { credential: cookie, endpoint }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const header = headers["authorization"]?.trim() ?? ""
        if (header !== "" || Redacted.value(cookie) === "") {
          const credential = Redacted.make(header.replace(/^bearer\s*/i, ""))
          return yield* withKey(app, { credential, endpoint })
        }
        return yield* new Unauthorized()
      })
    })
  })
)

export const layer: Layer.Layer<ProjectAccess | PublicKey | SecretKey, never, KeyRing | ProjectStore | RateLimiter> =
  Layer.mergeAll(secretKey, publicKey, projectAccess)
