import type { ApiKey, ApiKeyWithKey } from "@posthorn/client"
import { Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { confirm, optional, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block, Cell } from "../output/Table.ts"

const keyId = Argument.String("id").pipe(Argument.withDescription("Id of the key, from `posthorn keys list`"))

const keyRow = ({ name, mode, scopes, hint, lastUsedAt, expiresAt, id }: ApiKey): ReadonlyArray<Cell> => [
  name,
  mode,
  scopes.join(" "),
  hint,
  lastUsedAt ?? "never",
  expiresAt ?? "never",
  id
]

const keyBlock = (key: ApiKey): Block => ({
  rows: [
    ["id", key.id],
    ["name", key.name],
    ["mode", key.mode],
    ["scopes", key.scopes.join(" ")],
    ["sender domains", key.senderDomains.join(" ") || "any"],
    ["addresses", key.ipRanges.join(" ") || "any"],
    ["requests a minute", key.rateLimitPerMinute ?? "as the project"],
    ["expires", key.expiresAt ?? "never"]
  ]
})

/** The key itself, which is shown only this once. */
const secretBlock = (key: ApiKeyWithKey): Block => ({ rows: [...keyBlock(key).rows, ["key", key.key]] })

const list = Command.make(
  "list",
  connectionOptions,
  Effect.fnUntraced(function* () {
    const { call } = yield* Api
    const keys = yield* call(({ apiKeys }) => apiKeys.list())
    yield* Output.list(Stream.fromIterable(keys), {
      head: ["name", "mode", "scopes", "ends in", "last used", "expires", "id"],
      row: keyRow,
      none: "The project has no API keys yet. Create one with `posthorn keys create <name> --scopes send`."
    })
  })
).pipe(
  Command.withDescription("List the API keys of the project, without the keys themselves"),
  Command.withExamples([{ command: "posthorn keys list" }]),
  withApi
)

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("What the key is for; at most 100 characters")),
    scopes: Flag.String("scopes").pipe(
      Flag.withDescription("What the key may do, such as send or emails:read; * for everything; may be repeated"),
      Flag.atLeast(1)
    ),
    mode: Flag.Literals("mode", ["LIVE", "TEST"]).pipe(
      Flag.withDescription("LIVE (default), or TEST: mail is processed and not sent"),
      optional
    ),
    senderDomains: Flag.String("sender-domains").pipe(
      Flag.withDescription("The key may send only from this domain; may be repeated"),
      Flag.atLeast(0)
    ),
    ipRanges: Flag.String("ip-ranges").pipe(
      Flag.withDescription("The key is accepted only from this IP address or CIDR block; may be repeated"),
      Flag.atLeast(0)
    ),
    rateLimitPerMinute: Flag.Int("rate-limit-per-minute").pipe(
      Flag.withDescription("Requests per minute, in addition to the limit of the project"),
      optional
    ),
    expiresAt: Flag.String("expires-at").pipe(
      Flag.withDescription("When the key expires: a date or a date-time; default: never"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ name, scopes, mode, senderDomains, ipRanges, rateLimitPerMinute, expiresAt }) {
    const { call } = yield* Api
    // The service checks the scopes: it may know more of them than this program.
    const body = { name, scopes: scopes as never, mode, senderDomains, ipRanges, rateLimitPerMinute, expiresAt }
    const key = yield* call(({ apiKeys }) => apiKeys.create(body))
    yield* Output.one(key, secretBlock(key))
  })
).pipe(
  Command.withDescription("Create an API key and show it, only once"),
  Command.withExamples([
    { command: "posthorn keys create Shop --scopes send --scopes emails:read --sender-domains mail.example.com" },
    { command: "posthorn keys create CI --mode TEST --scopes send --expires-at 2027-01-01" }
  ]),
  withApi
)

const rotate = Command.make(
  "rotate",
  {
    id: keyId,
    overlapHours: Flag.Int("overlap-hours").pipe(
      Flag.withDescription("Hours for which the old key is still accepted, 0 to 168; default: 24"),
      optional
    ),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, overlapHours, yes }) {
    const { call } = yield* Api
    const { name } = yield* call(({ apiKeys }) => apiKeys.get(id))
    const hours = overlapHours ?? 24
    const overlap =
      hours === 0 ? "The old key stops working at once." : `The old key is accepted for ${hours} more hours.`
    yield* confirm(`Replace the API key ${name}? ${overlap}`, yes)
    const key = yield* call(({ apiKeys }) => apiKeys.rotate(id, { overlapHours }))
    const { rows } = secretBlock(key)
    yield* Output.one(key, { rows: [...rows, ["old key accepted until", key.previousValidUntil]] })
  })
).pipe(
  Command.withDescription(
    "Replace an API key with a new one that has the same settings, and show it, only once; asks first"
  ),
  Command.withExamples([
    { command: "posthorn keys rotate 019a9f3c-0000-7000-8000-0000000000f1 --overlap-hours 48 --yes" }
  ]),
  withApi
)

const revoke = Command.make(
  "revoke",
  { id: keyId, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ id, yes }) {
    const { call } = yield* Api
    const { name, hint } = yield* call(({ apiKeys }) => apiKeys.get(id))
    yield* confirm(`Revoke the API key ${name}, which ends in ${hint}? It stops working at once.`, yes)
    yield* call(({ apiKeys }) => apiKeys.remove(id))
    yield* Output.one({ id, revoked: true }, { rows: [["revoked", id]] })
  })
).pipe(
  Command.withDescription("Revoke an API key at once; asks first. Mail that is already accepted is still delivered."),
  Command.withExamples([{ command: "posthorn keys revoke 019a9f3c-0000-7000-8000-0000000000f1 --yes" }]),
  withApi
)

export const keys = Command.make("keys").pipe(
  Command.withDescription("Additional keys of a project, each with its own scopes and limits"),
  Command.withExamples([{ command: "posthorn keys create Shop --scopes send" }]),
  Command.withSubcommands([list, create, rotate, revoke])
)
