import { Effect, Option, Redacted, Result, Schema, Stdio } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { addressOf, connectionOptions } from "../api/Connection.ts"
import { type CommandFailure, wrongUsage } from "../Failure.ts"
import { optional } from "../options/Options.ts"
import { devFolderOption } from "../options/Server.ts"
import { code, passwordOf, passwordStdin, secondFactorOf } from "../options/SignIn.ts"
import * as Output from "../output/Output.ts"
import * as Profiles from "../session/Profiles.ts"
import { sendRequest } from "../session/Requests.ts"

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
