import { Effect, Option, Redacted, Schema } from "effect"
import { Command } from "effect/cli"
import { Api, layer as apiLayer } from "../api/Api.ts"
import { type ConnectionInput, connectionOptions } from "../api/Connection.ts"
import { orVariable } from "../options/Server.ts"
import * as Output from "../output/Output.ts"
import * as Profiles from "../session/Profiles.ts"
import * as Session from "../session/Session.ts"

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
