/**
 * Requests of a mounted console. The application says who sends them. They act for a project of that person, with the
 * person's role in it.
 */
import type { IncomingMessage } from "node:http"
import { Project } from "@posthorn/contract/accounts/projects/Project"
import {
  Forbidden,
  type MemberRole,
  ProjectAccessDenied,
  type ProjectId,
  Unauthorized
} from "@posthorn/contract/platform/Auth"
import {
  BadRequest,
  type ErrorEnvelope,
  envelope,
  HostUnavailable,
  RateLimitExceeded,
  ServiceUnavailable
} from "@posthorn/contract/platform/Errors"
import type { HostCaller } from "@posthorn/core/accounts/projects/TrustedCaller"
import { RateLimiter } from "@posthorn/core/platform/http/RateLimiter"
import { respond, routeNotFound } from "@posthorn/core/platform/http/Respond"
import { Settings } from "@posthorn/core/platform/Settings"
import * as OwnProjects from "@posthorn/core/service/projects/OwnProjects"
import { Effect, type Layer, Option, Schema } from "effect"
import { Headers, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type ConsoleOptions, SignedInUser } from "./ConsoleOptions.ts"
import { type ConsoleOperation, operationOf } from "./Operations.ts"

/** What the mount knows about a request. */
export interface ConsoleCall {
  /** The request as the application got it. */
  readonly request: Request
  /** The request of Node's server, if the application has one. */
  readonly incoming?: IncomingMessage | undefined
  /** The path of the endpoint, with the query. */
  readonly path: string
  readonly authorize: ConsoleOptions["authorize"]
}

/** How long the application may need to say who is signed in. */
const patience = "30 seconds"

type Response = Effect.Effect<HttpServerResponse.HttpServerResponse>

/** The answer with an error in its envelope. */
const refusal = <Type>(schema: Schema.Codec<Type, typeof ErrorEnvelope.Encoded>, error: Type): Response =>
  Effect.map(Effect.orDie(Schema.encodeEffect(schema)(error)), respond)

const unauthorized = refusal(envelope(Unauthorized), new Unauthorized())
const crossSite = refusal(envelope(Forbidden), new Forbidden({ reason: "origin" }))
const accessDenied = refusal(envelope(ProjectAccessDenied), new ProjectAccessDenied())
const unavailable = Effect.map(refusal(envelope(ServiceUnavailable), new HostUnavailable()), (response) =>
  HttpServerResponse.setHeader(response, "retry-after", "1")
)
const noProject = refusal(
  envelope(BadRequest),
  new BadRequest({ errors: [{ field: "X-Project-Id", code: "required", message: "The request needs a project." }] })
)
const tooMany = (error: RateLimitExceeded) => refusal(envelope(RateLimitExceeded), error)

/** The origin that a browser sees, as far as the connection tells: no header about proxies is trusted. */
const ownOrigin = ({ request, incoming }: ConsoleCall): string => {
  if (incoming === undefined) return new URL(request.url).origin
  const scheme = "encrypted" in incoming.socket && incoming.socket.encrypted === true ? "https" : "http"
  return `${scheme}://${incoming.headers.host}`
}

const reads = new Set(["GET", "HEAD"])

/**
 * Whether a page of the console has sent the request. The cookie of the application may be `SameSite=None`, so a write
 * needs proof of its origin, and a header that no form can send.
 */
const isFromConsole = (call: ConsoleCall, publicOrigin: string): boolean => {
  const { headers, method } = call.request
  if (reads.has(method)) return true
  if (headers.get("x-posthorn-console") !== "1") return false
  if (headers.get("sec-fetch-site") === "same-origin") return true
  const origin = headers.get("origin")
  return origin !== null && (origin === publicOrigin || origin === ownOrigin(call))
}

const decodeUser = Schema.decodeUnknownEffect(SignedInUser)
const encodeProjects = Schema.encodeEffect(Schema.Array(Project))

/** The person; none if the application names no one. */
const userOf = ({ authorize, incoming, request }: ConsoleCall) =>
  Effect.tryPromise({ try: async () => (await authorize(request, incoming)) ?? null, catch: (error) => error }).pipe(
    Effect.timeout(patience),
    Effect.flatMap((user) => (user === null ? Effect.succeedNone : Effect.asSome(decodeUser(user))))
  )

/** Only browsers know these, and the endpoints must not: the application has decided who asks. */
const credentials = ["authorization", "cookie", "origin"] as const

/** `callOf`: the call that a request object is. `admit` notes for whom it acts. */
export const layer = (
  callOf: (request: object) => ConsoleCall | undefined,
  admit: (request: object, caller: HostCaller) => void
): Layer.Layer<never, never, HttpRouter.HttpRouter | OwnProjects.Needs | RateLimiter> =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const projects = yield* OwnProjects.make
      const { publicUrl } = yield* Settings
      const publicOrigin = new URL(publicUrl).origin

      const projectsOf = (roles: ReadonlyMap<ProjectId, MemberRole>) =>
        Effect.map(
          Effect.flatMap(projects.listed(roles), (found) => Effect.orDie(encodeProjects(found))),
          (body) => HttpServerResponse.jsonUnsafe(body)
        )

      const answer = <E, R>(
        app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
        request: HttpServerRequest.HttpServerRequest,
        { access, project }: ConsoleOperation,
        user: SignedInUser
      ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> => {
        const roles = new Map(user.projects.map(({ id, role }) => [id, role]))
        if (access === "open") return app
        if (access === "projects") return projectsOf(roles)
        if (access === "me") {
          const { userId: id, email } = user
          return Effect.succeed(HttpServerResponse.jsonUnsafe({ id, email, emailVerified: true }))
        }
        const named = (project ?? request.headers["x-project-id"])?.toLowerCase()
        if (named === undefined) return noProject
        const chosen = user.projects.find(({ id }) => id === named)
        if (chosen === undefined) return accessDenied
        admit(request.source, { project: chosen.id, role: chosen.role, user: user.userId })
        return app
      }

      return (app) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const call = callOf(request.source)
          if (call === undefined) return yield* app
          const operation = operationOf(request.method, request.url.split("?", 1)[0] ?? "")
          if (operation === undefined) return yield* routeNotFound
          if (!isFromConsole(call, publicOrigin)) return yield* crossSite
          const user = yield* Effect.option(
            Effect.tapCause(userOf(call), (cause) => Effect.logError("authorize of the console has failed", cause))
          )
          if (Option.isNone(user)) return yield* unavailable
          if (Option.isNone(user.value)) return yield* unauthorized
          const { value } = user.value
          const refused = yield* Effect.option(Effect.flip(limiter.takeOfHostUser(value.userId)))
          if (Option.isSome(refused)) return yield* tooMany(refused.value)
          const headers = { ...request.headers }
          for (const name of credentials) delete headers[name]
          return yield* Effect.provideService(
            answer(app, request, operation, value),
            HttpServerRequest.HttpServerRequest,
            request.modify({ headers: Headers.fromInput(headers) })
          )
        })
    }),
    { global: true }
  )
