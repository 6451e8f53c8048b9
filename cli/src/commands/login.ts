/** Commands of the login: `login`, `logout` and `whoami`. */

import { Effect, Option, Redacted, Result, Schema, Stdio } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { Api, layer as apiLayer } from "../api/Api.ts"
import { addressOf, type ConnectionInput, connectionOptions } from "../api/Connection.ts"
import { type CommandFailure, wrongUsage } from "../Failure.ts"
import { code, optional, passwordOf, passwordStdin, secondFactorOf } from "../options/Options.ts"
import { devFolderOption, orVariable } from "../options/Server.ts"
import * as Output from "../output/Output.ts"
import * as Profiles from "../session/Profiles.ts"
import * as Session from "../session/Session.ts"
import { sendRequest } from "../session/Session.ts"

const LoggedIn = Schema.Struct({ data: Schema.Struct({ id: Schema.String, email: Schema.String }) })

const decodeWaiting = Schema.decodeUnknownOption(Schema.Struct({ token: Schema.String }))

/** The token of a login that waits for its second factor. Any other failure is unchanged. */
const waitingToken = (failure: CommandFailure): Effect.Effect<string, CommandFailure> => {
  const waiting = failure.code === "TWO_FACTOR_REQUIRED" ? decodeWaiting(failure.details) : Option.none()
  return Option.isSome(waiting) ? Effect.succeed(waiting.value.token) : Effect.fail(failure)
}

const emailOf = Effect.fnUntraced(function* (given: string | undefined) {
  if (given !== undefined) return given
  const { stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) return yield* Prompt.run(Prompt.String({ message: "Email" }))
  return yield* wrongUsage("--email is missing.", "See `posthorn login --help`.")
})

export const login = Command.make(
  "login",
  {
    url: connectionOptions.url,
    email: Flag.String("email").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("Address of the account; a terminal asks for it"),
      optional
    ),
    passwordStdin,
    code,
    profile: Flag.String("profile").pipe(
      Flag.withMetavar("<name>"),
      Flag.withDefault("default"),
      Flag.withDescription("Name of this login, if you have several")
    ),
    dataDir: devFolderOption
  },
  Effect.fnUntraced(function* ({ url: given, email: address, passwordStdin, code, profile: name, dataDir }) {
    const url = yield* addressOf(given, dataDir)
    const email = yield* emailOf(address)
    const password = Redacted.value(yield* passwordOf(passwordStdin))
    const here = { url, session: "" }
    const first = yield* Effect.result(sendRequest(here, "POST", "/auth/login", LoggedIn, { email, password }))
    const { data, session = "" } = Result.isSuccess(first)
      ? first.success
      : yield* sendRequest(here, "POST", "/auth/two-factor", LoggedIn, {
          token: yield* waitingToken(first.failure),
          ...(yield* secondFactorOf(code))
        })
    yield* Profiles.keep({ name, profile: { url, email: data.data.email, session } }, true)
    yield* Output.one(
      { profile: name, url, ...data.data },
      {
        rows: [
          ["logged in", data.data.email],
          ["at", url],
          ["profile", name]
        ]
      }
    )
  })
).pipe(
  Command.withDescription(
    "Log in as a user. The session is stored in your configuration folder and ends a week after its last use. Then choose " +
      "the project for commands without a key with `posthorn projects use`."
  ),
  Command.withShortDescription("Log in as a user"),
  Command.withExamples([
    { command: "posthorn login --url https://mail.example.com --email ada@example.com" },
    { command: "posthorn login --email ada@example.com --password-stdin --profile staging < password.txt" },
    { command: "posthorn login --email ada@example.com --code 123456", description: "With two-factor authentication" }
  ])
)

export const logout = Command.make(
  "logout",
  { profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ profile }) {
    const named = yield* Session.required(profile)
    // The session is deleted here even if the server cannot be reached.
    yield* Profiles.forget(named.name)
    yield* Session.end(named)
    yield* Output.one(
      { profile: named.name, email: named.profile.email },
      { rows: [["logged out", named.profile.email]] }
    )
  })
).pipe(
  Command.withDescription("End the session, here and on the server"),
  Command.withExamples([{ command: "posthorn logout" }, { command: "posthorn logout --profile staging" }])
)

const Me = Schema.Struct({ id: Schema.String, email: Schema.String, emailVerified: Schema.Boolean })

const withLogin = Effect.fnUntraced(function* (profile: string | undefined) {
  const named = yield* Session.required(profile)
  const me = yield* Session.ask(named, "GET", "/users/@me", Me)
  const { url, project } = named.profile
  yield* Output.one(
    { ...me, profile: named.name, url, project: project ? { id: project.id, name: project.name } : null },
    {
      rows: [
        ["account", me.email],
        ["address", me.emailVerified ? "confirmed" : "not confirmed"],
        ["at", url],
        ["profile", named.name],
        ["project", project?.name ?? "no current project"]
      ]
    }
  )
})

const withKey = Effect.gen(function* () {
  const { call, url } = yield* Api
  const { id, name, disabled, key } = yield* call(({ projects }) => projects.current())
  yield* Output.one(
    { url, project: { id, name, disabled }, key },
    {
      rows: [
        ["project", name],
        ["project id", id],
        ["state", disabled ? "disabled" : "enabled"],
        ["at", url],
        ["key", key?.kind ?? "none"],
        ["mode", key?.mode],
        ["scopes", key?.scopes.join(" ")]
      ]
    }
  )
})

/** Shows the key from the command line or the environment, otherwise the login, otherwise the development server. */
const ask = Effect.fnUntraced(function* ({
  profile,
  ...input
}: ConnectionInput & { readonly profile?: string | undefined }) {
  const key = yield* orVariable(input.key && Redacted.value(input.key), "POSTHORN_KEY")
  const isLogin = profile !== undefined || (key === undefined && Option.isSome(yield* Profiles.find(undefined)))
  yield* isLogin ? withLogin(profile) : Effect.provide(withKey, apiLayer(input))
})

export const whoami = Command.make(
  "whoami",
  {
    profile: Profiles.profileOption,
    url: connectionOptions.url,
    key: connectionOptions.key,
    dataDir: connectionOptions.dataDir
  },
  (input) => ask({ ...input, project: undefined })
).pipe(
  Command.withDescription(
    "Show the server and the project of the key in --key or POSTHORN_KEY; without a key, the account of the login, its " +
      "server and the current project; without a login, the project of a running `posthorn dev`"
  ),
  Command.withShortDescription("Show the account or the key in use, its server and its project"),
  Command.withExamples([{ command: "posthorn whoami --json" }])
)
