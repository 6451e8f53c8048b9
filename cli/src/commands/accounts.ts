import { Effect, Option, Redacted, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { wrongUsage } from "../Failure.ts"
import { databaseOptions, keysBlock, keysRecord, Operator, projectBlock, withOperator } from "../operator/Operator.ts"
import { code, confirm, passwordOf, passwordStdin, secondFactorOf, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import * as Profiles from "../session/Profiles.ts"
import * as Session from "../session/Session.ts"

const create = Command.make(
  "create",
  {
    email: Flag.String("email").pipe(Flag.withMetavar("<address>"), Flag.withDescription("Address to log in with")),
    passwordStdin,
    project: Flag.String("project").pipe(Flag.withMetavar("<name>"), Flag.withDescription("Name of its first project")),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ email, passwordStdin, project: projectName }) {
    const { accounts } = yield* Operator
    const password = yield* passwordOf(passwordStdin)
    const { account, project, keys } = yield* accounts.create({ email, password, projectName })
    yield* Output.one(
      {
        accountId: account.id,
        email: account.email,
        projectId: project.id,
        projectName: project.name,
        ...keysRecord(keys)
      },
      {
        rows: [
          ["account", account.email],
          ["account id", account.id]
        ]
      },
      projectBlock(project),
      keysBlock(keys)
    )
  })
).pipe(
  Command.withDescription(
    "Create an account with its first project, and show the project's keys. The secret key is shown only once. Works with " +
      "sign-ups disabled."
  ),
  Command.withShortDescription("Create an account with its first project"),
  Command.withExamples([
    { command: "posthorn accounts create --email ada@example.com --project Shop" },
    {
      command: "posthorn accounts create --email ada@example.com --project Shop --password-stdin --json < password.txt"
    }
  ]),
  withOperator
)

const twoFactorOff = Command.make(
  "two-factor-off",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of the account")),
    yes,
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ email, yes }) {
    const { switchTwoFactorsOff } = yield* Operator
    yield* confirm(`Let ${email} log in with the password alone?`, yes)
    const changed = yield* switchTwoFactorsOff(email)
    yield* Output.one({ email, totp: false, changed }, { rows: [["two factors", changed ? "off" : "were off"]] })
  })
).pipe(
  Command.withDescription(
    "Turn off two-factor authentication for a user who has lost the authenticator app and the recovery codes. The user " +
      "gets an email. First verify who is asking. Asks for confirmation."
  ),
  Command.withShortDescription("Turn off two-factor authentication for a locked-out account"),
  Command.withExamples([{ command: "posthorn accounts two-factor-off ada@example.com --yes" }]),
  withOperator
)

export const accounts = Command.make("accounts").pipe(
  Command.withDescription("User accounts; for operators, needs the database"),
  Command.withExamples([{ command: "posthorn accounts create --email ada@example.com --project Shop" }]),
  Command.withSubcommands([create, twoFactorOff])
)

const path = "/users/@me/sessions"

const OpenSession = Schema.Struct({
  id: Schema.String,
  current: Schema.Boolean,
  createdAt: Schema.String,
  lastSeenAt: Schema.String,
  network: Schema.NullOr(Schema.String),
  userAgent: Schema.NullOr(Schema.String)
})

const list = Command.make(
  "list",
  { profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ profile }) {
    const named = yield* Session.required(profile)
    const found = yield* Session.ask(named, "GET", path, Schema.Array(OpenSession))
    yield* Output.list(Stream.fromIterable(found), {
      head: ["id", "last used", "from", "with"],
      row: ({ id, current, lastSeenAt, network, userAgent }) => [
        id,
        current ? `${lastSeenAt} (this one)` : lastSeenAt,
        network ?? "",
        userAgent ?? ""
      ],
      none: "There are no open sessions."
    })
  })
).pipe(
  Command.withDescription("List the open sessions of the account; times are exact to a minute"),
  Command.withExamples([{ command: "posthorn account sessions list --json" }])
)

const revoke = Command.make(
  "revoke",
  {
    id: Argument.String("id").pipe(Argument.withDescription("Id of a session"), Argument.optional),
    others: Flag.Boolean("others").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("All sessions but this one")
    ),
    yes,
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ id: given, others, yes, profile }) {
    const id = Option.getOrUndefined(given)
    if ((id === undefined) === !others) return yield* wrongUsage("Pass the id of a session, or --others.")
    const named = yield* Session.required(profile)
    yield* confirm(others ? "End all other sessions?" : `End session ${id}?`, yes)
    const place = others ? path : `${path}/${encodeURIComponent(id ?? "")}`
    yield* Session.ask(named, "DELETE", place, Schema.Unknown)
    yield* Output.one({ ended: id ?? "others" }, { rows: [["ended", id === undefined ? "all other sessions" : id]] })
  })
).pipe(
  Command.withDescription("End a session of the account, or all but this one. Asks first."),
  Command.withExamples([{ command: "posthorn account sessions revoke --others --yes" }])
)

const sessions = Command.make("sessions").pipe(
  Command.withDescription("The sessions of the account"),
  Command.withExamples([{ command: "posthorn account sessions list" }]),
  Command.withSubcommands([list, revoke])
)

const twoFactorPath = "/users/@me/two-factor"

const State = Schema.Struct({ totp: Schema.Boolean, recoveryCodes: Schema.Int, passkeys: Schema.Int })
const Secret = Schema.Struct({ secret: Schema.String, uri: Schema.String })
const Confirmed = Schema.Struct({ recoveryCodes: Schema.Array(Schema.String) })

const status = Command.make(
  "status",
  { profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ profile }) {
    const state = yield* Session.ask(yield* Session.required(profile), "GET", twoFactorPath, State)
    yield* Output.one(state, {
      rows: [
        ["two factors", state.totp ? "on" : "off"],
        ["recovery codes", String(state.recoveryCodes)],
        ["passkeys", String(state.passkeys)]
      ]
    })
  })
).pipe(
  Command.withDescription("Show whether logins of the account need a second factor"),
  Command.withExamples([{ command: "posthorn account two-factor status --json" }])
)

const on = Command.make(
  "on",
  { passwordStdin, profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ passwordStdin, profile }) {
    const named = yield* Session.required(profile)
    const password = Redacted.value(yield* passwordOf(passwordStdin))
    const begun = yield* Session.ask(named, "POST", `${twoFactorPath}/totp`, Secret, { password })
    yield* Output.one(begun, {
      rows: [
        ["secret", begun.secret],
        ["address", begun.uri],
        ["next", "Add it to an authenticator app, then: posthorn account two-factor confirm --code <code>"]
      ]
    })
  })
).pipe(
  Command.withDescription(
    "Start to turn on two-factor authentication: shows the secret for an authenticator app, only once. Finish with `confirm`."
  ),
  Command.withShortDescription("Start to turn on two-factor authentication"),
  Command.withExamples([{ command: "posthorn account two-factor on" }])
)

const confirmTwoFactor = Command.make(
  "confirm",
  { code, profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ code, profile }) {
    const named = yield* Session.required(profile)
    const factor = yield* secondFactorOf(code)
    const given = { code: "code" in factor ? factor.code : factor.recoveryCode.slice(0, 20) }
    const { recoveryCodes } = yield* Session.ask(named, "POST", `${twoFactorPath}/totp/confirm`, Confirmed, given)
    yield* Output.one(
      { recoveryCodes },
      { rows: [["two factors", "on"], ...recoveryCodes.map((one) => ["recovery code", one] as const)] }
    )
  })
).pipe(
  Command.withDescription(
    "Turn on two-factor authentication with a code of the app, and show the recovery codes, only once. Ends all other sessions."
  ),
  Command.withShortDescription("Turn on two-factor authentication"),
  Command.withExamples([{ command: "posthorn account two-factor confirm --code 123456" }])
)

const off = Command.make(
  "off",
  { passwordStdin, code, profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ passwordStdin, code, profile }) {
    const named = yield* Session.required(profile)
    const password = Redacted.value(yield* passwordOf(passwordStdin))
    const factor = yield* secondFactorOf(code)
    yield* Session.ask(named, "DELETE", `${twoFactorPath}/totp`, Schema.Unknown, { password, ...factor })
    yield* Output.one({ totp: false }, { rows: [["two factors", "off"]] })
  })
).pipe(
  Command.withDescription("Turn off two-factor authentication, with the password and a code or a recovery code"),
  Command.withExamples([{ command: "posthorn account two-factor off --code 123456" }])
)

const twoFactor = Command.make("two-factor").pipe(
  Command.withDescription("Two-factor authentication of the account"),
  Command.withExamples([{ command: "posthorn account two-factor status" }]),
  Command.withSubcommands([status, on, confirmTwoFactor, off])
)

export const account = Command.make("account").pipe(
  Command.withDescription("The account that is logged in: its sessions and its two-factor authentication"),
  Command.withExamples([{ command: "posthorn account sessions list" }, { command: "posthorn account two-factor on" }]),
  Command.withSubcommands([sessions, twoFactor])
)
