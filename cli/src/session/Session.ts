/** The session of a user: its requests, its projects, and requests to any endpoint. */
import { PosthornError } from "@posthorn/client"
import { Effect, Option, Schema } from "effect"
import { apiFailure, CommandFailure, wrongUsage } from "../Failure.ts"
import { version } from "../Version.ts"
import * as Profiles from "./Profiles.ts"

const cookieName = "posthorn_session"
const timeoutMs = 30_000

export const userAgent = `posthorn-cli/${version}`

/**
 * The cookie name has a prefix if the browser uses https, and a proxy can hide that from us. So both names are sent.
 */
const cookieHeader = (session: string): string => `__Host-${cookieName}=${session}; ${cookieName}=${session}`

const Failed = Schema.fromJsonString(
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.String,
      message: Schema.String,
      requestId: Schema.String,
      suggestion: Schema.optionalKey(Schema.String),
      errors: Schema.optionalKey(Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))),
      details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
    })
  })
)
const decodeFailed = Schema.decodeUnknownOption(Failed)

const noMeta = { status: null, requestId: null, rateLimit: null, idempotencyReplayed: false, warnings: [] }

const notReached = (url: string) => (error: unknown) =>
  apiFailure(
    new PosthornError({ code: "NETWORK_ERROR", message: `Cannot be reached: ${reasonOf(error)}` }, noMeta),
    url
  )

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

const strange = (url: string, status: number) =>
  apiFailure(
    new PosthornError(
      { code: "UNEXPECTED_RESPONSE", message: `The answer with status ${status} does not come from Posthorn.` },
      { ...noMeta, status }
    ),
    url
  )

const exits = { 401: "notAuthorised", 403: "notAuthorised", 404: "notFound" } as const

const isKnownStatus = (status: number): status is keyof typeof exits => status in exits

const failure = (url: string, status: number, text: string) => {
  const failed = decodeFailed(text)
  if (Option.isNone(failed)) return strange(url, status)
  return new CommandFailure({
    ...failed.value.error,
    exit: isKnownStatus(status) ? exits[status] : "failed",
    statusCode: status
  })
}

export interface Answered<A> {
  readonly data: A
  /** The session of the response: a new one, or the sent one with a refreshed token. */
  readonly session: string | undefined
}

const sessionIn = (headers: Headers) =>
  headers
    .getSetCookie()
    .flatMap((cookie) => new RegExp(`^(?:__Host-)?${cookieName}=([^;]+)`).exec(cookie)?.[1] ?? [])[0]

export type Method = "DELETE" | "GET" | "PATCH" | "POST" | "PUT"

export interface Sender {
  readonly url: string
  /** The value of the session cookie. An empty one is not sent. */
  readonly session: string
  /** More headers, such as the key. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request without retries, and reads the answer as text, whatever its status. A text is JSON. */
export const requestText = Effect.fnUntraced(function* (
  { url, session, headers }: Sender,
  method: Method,
  path: string,
  body?: FormData | string
) {
  const response = yield* Effect.tryPromise({
    try: (signal) =>
      fetch(url.replace(/\/+$/, "") + path, {
        method,
        headers: {
          "user-agent": userAgent,
          ...(session !== "" && { cookie: cookieHeader(session) }),
          ...(typeof body === "string" && { "content-type": "application/json", prefer: "handling=strict" }),
          ...headers
        },
        body: body ?? null,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      }),
    catch: notReached(url)
  })
  const text = yield* Effect.tryPromise({ try: () => response.text(), catch: notReached(url) })
  return { status: response.status, headers: response.headers, text }
})

/** Sends one request without retries. A body is JSON, unless it is a form. */
export const sendRequest = Effect.fnUntraced(function* <A>(
  sender: Sender,
  method: Method,
  path: string,
  answer: Schema.Codec<A, unknown>,
  body?: object
) {
  const { url } = sender
  const sent = body === undefined || body instanceof FormData ? body : JSON.stringify(body)
  const { status, headers, text } = yield* requestText(sender, method, path, sent)
  if (status < 200 || status > 299) return yield* failure(url, status, text)
  const json = yield* Effect.try({
    try: (): unknown => (text === "" ? null : JSON.parse(text)),
    catch: () => strange(url, status)
  })
  const data = yield* Effect.mapError(Schema.decodeUnknownEffect(answer)(json), () => strange(url, status))
  const answered: Answered<A> = { data, session: sessionIn(headers) }
  return answered
})

/** A placeholder for the secret key in a client with a session. It is never sent. */
const noKey = "sk_of-a-session"

/** Makes the client send the session and its project instead of the secret key. */
export const sessionClient = (session: string, project: string) => ({
  secretKey: noKey,
  fetch: (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (headers.get("authorization") === `Bearer ${noKey}`) {
      headers.delete("authorization")
      headers.set("cookie", cookieHeader(session))
      headers.set("x-project-id", project)
    }
    return fetch(url, { ...init, headers })
  }
})

const notLoggedIn = new CommandFailure({
  exit: "notAuthorised",
  code: "NOT_LOGGED_IN",
  message: "You are not logged in.",
  suggestion: "Log in with `posthorn login`."
})

export const required = Effect.fnUntraced(function* (profile: string | undefined) {
  const found = yield* Profiles.find(profile)
  return Option.isSome(found) ? found.value : yield* notLoggedIn
})

/** Sends a request of the user, and saves the refreshed token of the session. */
export const ask = Effect.fnUntraced(function* <A>(
  named: Profiles.Named,
  method: Method,
  path: string,
  answer: Schema.Codec<A, unknown>,
  body?: object,
  headers: Readonly<Record<string, string>> = {}
) {
  const { data, session } = yield* sendRequest({ ...named.profile, headers }, method, path, answer, body).pipe(
    Effect.mapError((failure) =>
      failure.code === "UNAUTHORIZED"
        ? new CommandFailure({ ...failure, suggestion: "Log in again with `posthorn login`." })
        : failure
    )
  )
  if (session !== undefined) yield* Profiles.keep({ ...named, profile: { ...named.profile, session } })
  return data
})

export const UserProject = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  public: Schema.String,
  role: Schema.String,
  disabled: Schema.Boolean,
  disabledReason: Schema.NullOr(Schema.String)
})
export type UserProject = typeof UserProject.Type

/** With keys that are shown only once. */
export const UserProjectWithSecret = Schema.Struct({ ...UserProject.fields, secret: Schema.String })
export type UserProjectWithSecret = typeof UserProjectWithSecret.Type

export const projects = (named: Profiles.Named) => ask(named, "GET", "/users/@me/projects", Schema.Array(UserProject))

/** A project of the user by id or name; without one, the current project. */
export const projectOf = Effect.fnUntraced(function* (named: Profiles.Named, given: string | undefined) {
  const wanted = given ?? named.profile.project?.id
  if (wanted === undefined) {
    return yield* wrongUsage(
      "There is no current project.",
      "Name one, or choose it with `posthorn projects use <project>`."
    )
  }
  const found = (yield* projects(named)).filter(({ id, name }) => id === wanted || name === wanted)
  const [project, ...others] = found
  if (project === undefined) {
    return yield* new CommandFailure({
      exit: "notFound",
      code: "RESOURCE_NOT_FOUND",
      message: `${named.profile.email} has no project ${wanted}.`,
      suggestion: "`posthorn projects list` shows all of them."
    })
  }
  if (others.length === 0) return project
  const ids = found.map(({ id }) => id).join(", ")
  return yield* wrongUsage(`${found.length} projects have the name ${wanted}.`, `Use the id of one of them: ${ids}.`)
})

/** Makes this the current project, which commands without a key use. */
export const use = ({ name, profile }: Profiles.Named, { id, name: called, public: publicKey }: UserProject) =>
  Profiles.keep({ name, profile: { ...profile, project: { id, name: called, publicKey } } })

export const useNone = ({ name, profile: { project: _, ...profile } }: Profiles.Named) =>
  Profiles.keep({ name, profile })

/** Ends the session on the server. If the server cannot be reached, the user is still logged out here. */
export const end = (named: Profiles.Named) =>
  Effect.catchIf(
    sendRequest(named.profile, "GET", "/auth/logout", Schema.Unknown),
    ({ exit }) => exit === "unreachable",
    () => Effect.void
  )
