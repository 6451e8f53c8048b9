/**
 * The service and the key of a command. They come from the first of these that has them: the command line, the
 * environment, the development server of the data folder, the login and its project.
 */

import { Effect, FileSystem, Option, Path, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { optional } from "../options/Options.ts"
import { dataDirOf, devFolderOption, orVariable } from "../options/Server.ts"
import * as Profiles from "../session/Profiles.ts"

/** Options of every command that calls the API. */
export const connectionOptions = {
  url: Flag.String("url").pipe(
    Flag.withMetavar("<url>"),
    Flag.withDescription("URL of the service; default: POSTHORN_URL, then a running `posthorn dev`"),
    optional
  ),
  key: Flag.Redacted("key").pipe(
    Flag.withMetavar("<key>"),
    Flag.withDescription("API key; default: POSTHORN_KEY, then the key of a running `posthorn dev`, then a login"),
    optional
  ),
  project: Flag.String("project").pipe(
    Flag.withMetavar("<id>"),
    Flag.withDescription("Id of the key's project, if it cannot be determined otherwise"),
    optional
  ),
  dataDir: devFolderOption
}

/** The values of the options. */
export interface ConnectionInput {
  readonly url: string | undefined
  readonly key: Redacted.Redacted<string> | undefined
  readonly project: string | undefined
  readonly dataDir: string | undefined
}

interface Connection {
  readonly url: string
  /** The secret or the public key. The caller reports a missing key. */
  readonly secretKey: string | undefined
  readonly publicKey: string | undefined
  readonly project: string | undefined
  /** The session of a login. It replaces the secret key where the service accepts a session. */
  readonly session?: string | undefined
}

const defaultUrl = "http://127.0.0.1:3000"

/** The fields of `dev.json` that calls need. */
const DevServer = Schema.fromJsonString(
  Schema.Struct({
    url: Schema.optionalKey(Schema.String),
    projectId: Schema.String,
    publicKey: Schema.String,
    secretKey: Schema.String
  })
)

const decodeDevServer = Schema.decodeUnknownOption(DevServer)

/** None if no development server was started, or if the file has another form. */
const devServer = Effect.fnUntraced(function* (dataDir: string | undefined) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const text = yield* Effect.option(fs.readFileString(path.join(yield* dataDirOf(dataDir), "dev.json")))
  return Option.flatMap(text, decodeDevServer)
})

const webUrl = (text: string): Effect.Effect<URL, CommandFailure> => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol)
    ? Effect.succeed(url)
    : Effect.fail(wrongUsage(`${text} is not the URL of a service.`, "A URL looks like http://127.0.0.1:3000."))
}

const isThisMachine = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

const noKey = new CommandFailure({
  exit: "notAuthorised",
  code: "MISSING_KEY",
  message: "There is no API key.",
  suggestion: "Set POSTHORN_KEY, pass --key, start `posthorn dev` in this folder, or log in with `posthorn login`."
})

const noProject = wrongUsage(
  "There is no current project.",
  "Choose one with `posthorn projects use <project>`, or pass --project."
)

/** The service of a command without a key: the given URL, otherwise the development server of the folder. */
export const addressOf = Effect.fnUntraced(function* (given: string | undefined, dataDir: string | undefined) {
  const url = yield* orVariable(given, "POSTHORN_URL")
  const dev = url === undefined ? yield* devServer(dataDir) : Option.none()
  const found = url ?? Option.getOrUndefined(Option.map(dev, ({ url }) => url)) ?? defaultUrl
  return (yield* webUrl(found)).href
})

/** The session of a login is only sent to the service that issued it. */
const loggedIn = Effect.fnUntraced(function* (url: string | undefined, given: string | undefined) {
  const found = yield* Profiles.find(undefined)
  if (Option.isNone(found)) return yield* noKey
  const { profile } = found.value
  const address = yield* webUrl(url ?? profile.url)
  if (address.href !== profile.url) return yield* noKey
  const project = given ?? profile.project?.id
  if (project === undefined) return yield* noProject
  return {
    url: profile.url,
    secretKey: undefined,
    publicKey: project === profile.project?.id ? profile.project.publicKey : undefined,
    session: profile.session,
    project
  }
})

/** The key of the development server is only sent to this machine. */
export const connect = Effect.fnUntraced(function* ({
  dataDir,
  project,
  ...given
}: ConnectionInput): Effect.fn.Return<Connection, CommandFailure, FileSystem.FileSystem | Path.Path> {
  const url = yield* orVariable(given.url, "POSTHORN_URL")
  const key = yield* orVariable(given.key && Redacted.value(given.key), "POSTHORN_KEY")

  if (key !== undefined) {
    const { href } = yield* webUrl(url ?? defaultUrl)
    const keys = key.startsWith("pk_") ? { publicKey: key } : { secretKey: key }
    return { url: href, secretKey: undefined, publicKey: undefined, project, ...keys }
  }

  const dev = yield* devServer(dataDir)
  if (Option.isNone(dev)) return yield* loggedIn(url, project)
  const address = yield* webUrl(url ?? dev.value.url ?? defaultUrl)
  if (!isThisMachine(address)) return yield* loggedIn(url, project)
  const { publicKey, secretKey, projectId } = dev.value
  return { url: address.href, secretKey, publicKey, project: project ?? projectId }
})
