/** The logged-in user, for commands that need a user instead of a key. */
import { Effect, Option, Schema } from "effect"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import * as Profiles from "./Profiles.ts"
import { type Method, sendRequest } from "./Requests.ts"

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
