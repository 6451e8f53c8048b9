import type { ProviderDelivery } from "@posthorn/client"
import type { MailboxProvider } from "@posthorn/core/mail/recipients/ProviderList"
import type { ProviderRefused } from "@posthorn/core/mail/shaping/ProviderSettings"
import { DateTime, Duration, Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, layer as api } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { asOperator, databaseOptions, Operator, withOperator } from "../operator/Operator.ts"
import { optional } from "../options/Options.ts"
import * as Output from "../output/Output.ts"

const number = (value: number | null) => (value === null ? "" : String(value))

const stateRow = (found: ProviderDelivery) => [
  found.name,
  found.state.toLowerCase(),
  number(found.ratePerMinute),
  number(found.maxConnections),
  String(found.waiting),
  String(found.sevenDays.sent),
  String(found.sevenDays.deferred),
  found.reason?.reply ?? ""
]

const limitHead = ["provider", "name", "rate/min", "connections", "mail exchanges", "domains"]

const limitRow = ({ domains, maxConnections, mxSuffixes, name, provider, ratePerMinute }: MailboxProvider) => [
  provider,
  name,
  number(ratePerMinute),
  number(maxConnections),
  mxSuffixes.join(" "),
  domains.join(" ")
]

const list = Command.make(
  "list",
  {
    all: Flag.Boolean("all").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("All providers of the installation with their limits; for operators, needs the database")
    ),
    ...connectionOptions
  },
  ({ all, ...input }) =>
    all
      ? asOperator(
          Effect.gen(function* () {
            const { providers } = yield* Operator
            yield* Output.list(Stream.fromIterable(yield* providers.list), {
              head: limitHead,
              row: limitRow,
              none: "There are no providers."
            })
          }),
          { dataDir: input.dataDir }
        )
      : Effect.gen(function* () {
          const { call } = yield* Api
          const found = yield* call(({ deliverability }) => deliverability.providers())
          yield* Output.list(Stream.fromIterable(found), {
            head: ["provider", "state", "rate/min", "connections", "waiting", "sent", "deferred", "reason"],
            row: stateRow,
            none: "No mail in the last 7 days."
          })
        }).pipe(Effect.provide(api(input)))
).pipe(
  Command.withDescription("Show how mail to each mailbox provider goes"),
  Command.withExamples([{ command: "posthorn providers list" }])
)

const refused = ({ message, reason }: ProviderRefused) =>
  reason === "unknown"
    ? new CommandFailure({ exit: "notFound", code: "RESOURCE_NOT_FOUND", message })
    : wrongUsage(message)

const providerArgument = Argument.String("provider").pipe(
  Argument.withDescription("Id of a provider, such as GMAIL; a new one is added")
)

const names = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("<names>"), Flag.withDescription(description), optional)

const whole = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withMetavar("<number>"), Flag.withDescription(description), optional)

/** Names that are separated by commas. */
const namesOf = (text: string | undefined) =>
  text
    ?.split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "")

const limits = (row: MailboxProvider) => ({
  rows: [
    ["provider", row.provider],
    ["name", row.name],
    ["rate per minute", number(row.ratePerMinute) || "no limit"],
    ["connections", number(row.maxConnections) || "no limit"],
    ["mail exchanges", row.mxSuffixes.join(" ")],
    ["domains", row.domains.join(" ")]
  ]
})

const set = Command.make(
  "set",
  {
    provider: providerArgument,
    name: Flag.String("name").pipe(Flag.withDescription("Name that people know"), optional),
    mxSuffixes: names("mx-suffixes", "Ends of the names of its mail exchanges: .example.com,.example.net"),
    domains: names("domains", "Domains that are known without DNS, separated by commas"),
    maxConnections: whole("max-connections", "Connections of all workers together"),
    ratePerMinute: whole("rate-per-minute", "Mails a minute of all workers together"),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ domains, maxConnections, mxSuffixes, name, provider, ratePerMinute }) {
    const { providers } = yield* Operator
    const row = yield* Effect.mapError(
      providers.set({
        provider,
        name,
        mxSuffixes: namesOf(mxSuffixes),
        domains: namesOf(domains),
        maxConnections,
        ratePerMinute
      }),
      refused
    )
    yield* Output.one(row, limits(row))
  })
).pipe(
  Command.withDescription(
    "Change a mailbox provider, or add one. All workers use it within 10 seconds; for operators, needs the database."
  ),
  Command.withShortDescription("Change a mailbox provider, or add one; for operators"),
  Command.withExamples([
    { command: "posthorn providers set GMAIL --max-connections 5 --rate-per-minute 600" },
    { command: "posthorn providers set ACME --mx-suffixes .mail.acme.com --domains acme.com" }
  ]),
  withOperator
)

const reset = Command.make(
  "reset",
  { provider: providerArgument, ...databaseOptions },
  Effect.fnUntraced(function* ({ provider }) {
    const { providers } = yield* Operator
    const row = yield* Effect.mapError(providers.reset(provider), refused)
    if (row === undefined) yield* Output.one({ provider, removed: true }, { rows: [[provider, "removed"]] })
    else yield* Output.one(row, limits(row))
  })
).pipe(
  Command.withDescription(
    "Give a mailbox provider its shipped values; one that was added is removed. For operators, needs the database."
  ),
  Command.withShortDescription("Give a mailbox provider its shipped values; for operators"),
  Command.withExamples([{ command: "posthorn providers reset GMAIL" }]),
  withOperator
)

const longest = Duration.days(7)

/** `90m`, `2h` or `1d`. */
const durationOf = (text: string) => {
  const [, amount = "", unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const minutes = Number(amount) * (unit === "d" ? 1_440 : unit === "h" ? 60 : 1)
  const duration = Duration.minutes(minutes)
  return minutes >= 1 && Duration.isLessThanOrEqualTo(duration, longest)
    ? Effect.succeed(duration)
    : Effect.fail(wrongUsage("--for takes minutes, hours or days up to 7 days: 90m, 2h, 1d."))
}

const suspend = Command.make(
  "suspend",
  {
    provider: providerArgument,
    for: Flag.String("for").pipe(Flag.withMetavar("<time>"), Flag.withDescription("How long: 90m, 2h, 1d")),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ provider, ...input }) {
    const { providers } = yield* Operator
    const until = DateTime.formatIso(
      yield* Effect.mapError(providers.suspend(provider, yield* durationOf(input.for)), refused)
    )
    yield* Output.one({ provider, until }, { rows: [[provider, `no bulk mail until ${until}`]] })
  })
).pipe(
  Command.withDescription(
    "Send no bulk mail to a mailbox provider for a time. Transactional mail goes on. For operators, needs the database."
  ),
  Command.withShortDescription("Send a mailbox provider no bulk mail for a time; for operators"),
  Command.withExamples([{ command: "posthorn providers suspend GMAIL --for 2h" }]),
  withOperator
)

const resume = Command.make(
  "resume",
  { provider: providerArgument, ...databaseOptions },
  Effect.fnUntraced(function* ({ provider }) {
    const { providers } = yield* Operator
    const resumed = yield* Effect.mapError(providers.resume(provider), refused)
    yield* Output.one({ provider, resumed }, { rows: [[provider, resumed ? "as before" : "was not slowed down"]] })
  })
).pipe(
  Command.withDescription(
    "End whatever slows mail to a mailbox provider, also if the provider asked for it. For operators, needs the database."
  ),
  Command.withShortDescription("End whatever slows mail to a mailbox provider; for operators"),
  Command.withExamples([{ command: "posthorn providers resume GMAIL" }]),
  withOperator
)

export const providers = Command.make("providers").pipe(
  Command.withDescription("How mail to mailbox providers goes, and their limits"),
  Command.withExamples([{ command: "posthorn providers list" }]),
  Command.withSubcommands([list, set, reset, suspend, resume])
)
