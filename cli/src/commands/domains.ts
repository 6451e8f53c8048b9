import { domainToASCII } from "node:url"
import type { Domain, Warmup } from "@posthorn/client"
import { Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, layer as apiLayer, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import {
  asOperator,
  databaseOptions,
  Operator,
  operatorProject,
  operatorProjectOption,
  withOperator
} from "../operator/Operator.ts"
import { confirm, optional, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"

const standing = ({
  domain,
  linkHost,
  status,
  trusted,
  verifiedElsewhere,
  lastCheckedAt,
  lastError,
  id
}: Domain): Block => ({
  rows: [
    ["domain", domain],
    ["status", status],
    ...(trusted ? [["trusted", "by the operator, regardless of DNS"]] : []),
    ...(verifiedElsewhere ? [["note", "DNS is correct, but another project owns the domain"]] : []),
    ["last checked", lastCheckedAt ?? "not yet"],
    ...(linkHost === null ? [] : [["link host", `${linkHost.host} (${linkHost.status.toLowerCase()})`]]),
    ...(linkHost?.lastError == null ? [] : [["link host error", linkHost.lastError]]),
    ...(lastError === null ? [] : [["last error", lastError]]),
    ["id", id]
  ]
})

/** Values are in the last column and never cut, so that they can be copied. */
const records = ({ records }: Domain): Block => ({
  head: ["type", "name", "status", "needed", "value"],
  rows: records.map(({ type, name, status, required, value }) => [type, name, status, required ? "yes" : "no", value])
})

/** The values that DNS has instead of the expected ones. */
const found = ({ records }: Domain): Block => ({
  head: ["found instead at", "value"],
  rows: records
    .filter(({ status }) => status === "MISMATCH")
    .flatMap(({ name, found }) => found.map((value) => [name, value]))
})

const domainBlocks = (domain: Domain): ReadonlyArray<Block> => [standing(domain), records(domain), found(domain)]

const domainArgument = Argument.String("domain").pipe(
  Argument.withDescription("Name of the domain, in any spelling, or its id")
)

/** The form that the service stores: lower case, ASCII, no final dot. */
const canonical = (name: string): string => domainToASCII(name.trim().replace(/\.$/, "").toLowerCase())

const domainOf = Effect.fnUntraced(function* (nameOrId: string): Effect.fn.Return<Domain, CommandFailure, Api> {
  const { call, project } = yield* Api
  const id = yield* project
  const name = canonical(nameOrId)
  const all = yield* call(({ domains }) => domains.list(id))
  const found = all.find((domain) => domain.id === nameOrId || domain.domain === name)
  if (found !== undefined) return found
  return yield* new CommandFailure({
    exit: "notFound",
    code: "RESOURCE_NOT_FOUND",
    message: `The project has no domain ${nameOrId}.`,
    suggestion: "`posthorn domains list` shows its domains."
  })
})

const add = Command.make(
  "add",
  { domain: Argument.String("domain").pipe(Argument.withDescription("Name of the domain")), ...connectionOptions },
  Effect.fnUntraced(function* ({ domain }) {
    const { call } = yield* Api
    const added = yield* call(({ domains }) => domains.add({ domain }))
    yield* Output.one(added, ...domainBlocks(added))
  })
).pipe(
  Command.withDescription("Add a domain and show the DNS records to publish"),
  Command.withExamples([{ command: "posthorn domains add mail.example.com" }]),
  withApi
)

const list = Command.make(
  "list",
  connectionOptions,
  Effect.fnUntraced(function* () {
    const { call, project } = yield* Api
    const id = yield* project
    const domains = yield* call(({ domains }) => domains.list(id))
    yield* Output.list(Stream.fromIterable(domains), {
      head: ["domain", "status", "last checked", "id"],
      row: ({ domain, status, lastCheckedAt, id }) => [domain, status, lastCheckedAt, id],
      none: "The project has no domains yet. Add one with `posthorn domains add <domain>`."
    })
  })
).pipe(
  Command.withDescription("List the domains of the project"),
  Command.withExamples([{ command: "posthorn domains list" }]),
  withApi
)

const remove = Command.make(
  "remove",
  { domain: domainArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ domain: nameOrId, yes }) {
    const { call } = yield* Api
    const { domain, id } = yield* domainOf(nameOrId)
    yield* confirm(`Remove ${domain}? Its signing keys are destroyed.`, yes)
    yield* call(({ domains }) => domains.remove(id))
    yield* Output.one({ id, domain, removed: true }, { rows: [["removed", domain]] })
  })
).pipe(
  Command.withDescription("Remove a domain and destroy its signing keys; asks first"),
  Command.withExamples([{ command: "posthorn domains remove mail.example.com --yes" }]),
  withApi
)

const trust = Command.make(
  "trust",
  {
    domain: Argument.String("domain").pipe(Argument.withDescription("Name of the domain")),
    yes,
    project: operatorProjectOption,
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ domain: name, project, yes }) {
    const { setTrust } = yield* Operator
    const id = project === undefined ? undefined : (yield* operatorProject(project)).id
    yield* confirm(`Verify ${name} without DNS, and keep it verified regardless of DNS?`, yes)
    const domain = yield* setTrust(name, id, true)
    yield* Output.one(domain, ...domainBlocks(domain))
  })
).pipe(
  Command.withDescription(
    "Verify a domain without DNS, and keep it verified regardless of DNS; for operators, needs the database. Asks for " +
      "confirmation. `posthorn domains verify --end-trust` undoes it."
  ),
  Command.withShortDescription("Verify a domain without DNS; for operators"),
  Command.withExamples([{ command: "posthorn domains trust mail.example.com --yes" }]),
  withOperator
)

const check = Effect.fnUntraced(function* (nameOrId: string) {
  const { call } = yield* Api
  const { id } = yield* domainOf(nameOrId)
  return yield* call(({ domains }) => domains.verify(id))
})

const endTrust = Effect.fnUntraced(function* (name: string, project: string | undefined) {
  const { setTrust } = yield* Operator
  return yield* setTrust(name, project === undefined ? undefined : (yield* operatorProject(project)).id, false)
})

const verify = Command.make(
  "verify",
  {
    domain: domainArgument,
    endTrust: Flag.Boolean("end-trust").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Undo `posthorn domains trust`; for operators, needs the database")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ domain: nameOrId, endTrust: endsTrust, ...input }) {
    const domain = endsTrust
      ? yield* asOperator(endTrust(nameOrId, input.project), input)
      : yield* Effect.provide(check(nameOrId), apiLayer(input))
    yield* Output.one(domain, ...domainBlocks(domain))
  })
).pipe(
  Command.withDescription("Check the DNS records of a domain now, and show the result"),
  Command.withExamples([
    { command: "posthorn domains verify mail.example.com" },
    { command: "posthorn domains verify mail.example.com --end-trust", description: "Let DNS decide again" }
  ])
)

const health = Command.make(
  "health",
  {
    domain: domainArgument,
    refresh: Flag.Boolean("refresh").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Ask DNS now, at most once a minute")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ domain: nameOrId, refresh }) {
    const { call } = yield* Api
    const { domain, id } = yield* domainOf(nameOrId)
    const health = yield* call(({ domains }) => domains.health(id, refresh ? { refresh } : {}))
    const { checkedAt, checks, ready } = health
    yield* Output.one(
      health,
      {
        rows: [
          ["domain", domain],
          ["ready", ready ? "yes" : "no"],
          ["DNS asked", checkedAt]
        ]
      },
      {
        name: "check",
        head: ["check", "status", "found", "advice"],
        rows: checks.map(({ advice, found, id, status }) => [id, status, found.join("; "), advice])
      }
    )
  })
).pipe(
  Command.withDescription("Show what mailbox providers require of a domain, and whether it is so"),
  Command.withExamples([
    { command: "posthorn domains health mail.example.com" },
    { command: "posthorn domains health mail.example.com --refresh --json" }
  ]),
  withApi
)

const dmarc = Command.make(
  "dmarc",
  {
    domain: domainArgument,
    startDate: Flag.String("start-date").pipe(Flag.withDescription("First day; default 30 days ago"), optional),
    endDate: Flag.String("end-date").pipe(Flag.withDescription("Last day; default today"), optional),
    groupBy: Flag.Literals("group-by", ["source", "reporter", "day"]).pipe(
      Flag.withDefault("source"),
      Flag.withDescription("What one row is about")
    ),
    limit: Flag.Int("limit").pipe(Flag.withDefault(100), Flag.withDescription("Rows, at most 100")),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ domain: nameOrId, endDate, groupBy, limit, startDate }) {
    const { call } = yield* Api
    const { id } = yield* domainOf(nameOrId)
    const report = yield* call(({ domains }) =>
      domains.dmarc(id, {
        groupBy,
        limit,
        ...(startDate !== undefined && { startDate }),
        ...(endDate !== undefined && { endDate })
      })
    )
    const { advice, rows, totals } = report
    yield* Output.one(
      report,
      {
        rows: [
          ["messages", totals.messages],
          ["passed", totals.passed],
          ["failed", totals.failed],
          ["quarantined", totals.quarantined],
          ["rejected", totals.rejected],
          ["advice", advice]
        ]
      },
      {
        name: groupBy,
        head: [groupBy, ...(groupBy === "source" ? ["own"] : []), "messages", "passed", "failed", "DKIM", "SPF"],
        rows: rows.map(({ day, dkimAligned, failed, messages, own, passed, reporter, source, spfAligned }) => [
          source ?? reporter ?? day,
          ...(groupBy === "source" ? [own ? "yes" : "no"] : []),
          messages,
          passed,
          failed,
          dkimAligned,
          spfAligned
        ])
      }
    )
  })
).pipe(
  Command.withDescription("Show what DMARC reports say about the mail from a domain"),
  Command.withExamples([
    { command: "posthorn domains dmarc mail.example.com" },
    { command: "posthorn domains dmarc mail.example.com --group-by day --start-date 2026-03-01" }
  ]),
  withApi
)

const warmupBlocks = (domain: string, plan: Warmup): ReadonlyArray<Block> => [
  {
    rows: [
      ["domain", domain],
      ...(plan.transport === null ? [] : [["transport", plan.transport]]),
      ["status", plan.status],
      ["step", plan.step],
      ["cap today", plan.cap ?? "none"],
      ["sent today", plan.sentToday],
      ["free now", plan.freeNow ?? "all"],
      ["waiting", plan.waiting],
      ["bounced today", plan.today.bounced],
      ["complained today", plan.today.complained],
      ["deferred today", plan.today.deferred],
      ["completes on", plan.completesOn ?? "not while it is paused"]
    ]
  },
  {
    name: "day",
    head: ["day", "step", "cap", "sent", "bounced", "complained", "deferred", "result"],
    rows: plan.days.map(({ bounced, cap, complained, date, deferred, result, sent, step }) => [
      ...[date, step, cap, sent, bounced, complained, deferred, result]
    ])
  }
]

const capsOf = Effect.fnUntraced(function* (text: string) {
  const caps = text.split(",").map((cap) => Number(cap.trim() || Number.NaN))
  return caps.every(Number.isInteger) ? caps : yield* wrongUsage("Pass --caps as numbers: --caps 50,100,200.")
})

const hoursOf = Effect.fnUntraced(function* (text: string) {
  const [from = "", to = "", ...more] = text.split("-")
  return to !== "" && more.length === 0
    ? { from: from.trim(), to: to.trim() }
    : yield* wrongUsage("Pass --hours as two times: --hours 08:00-18:00.")
})

const action = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

const warmup = Command.make(
  "warmup",
  {
    domain: domainArgument,
    preset: Flag.Literals("preset", ["STANDARD", "FAST", "CUSTOM"]).pipe(
      Flag.withDescription("Begin this plan, or replace the plan; CUSTOM needs --caps"),
      optional
    ),
    caps: Flag.String("caps").pipe(Flag.withDescription("Cap of each step: 50,100,200"), optional),
    startsOn: Flag.String("starts-on").pipe(Flag.withDescription("First day; default today"), optional),
    timezone: Flag.String("timezone").pipe(
      Flag.withDescription("Where days begin; default the time zone of the project"),
      optional
    ),
    hours: Flag.String("hours").pipe(Flag.withDescription("Hours of the day: 08:00-18:00"), optional),
    transactional: Flag.Literals("transactional", ["EXEMPT", "COUNT"]).pipe(
      Flag.withDescription("Whether transactional mail counts; it never waits"),
      optional
    ),
    transport: Flag.String("transport").pipe(
      Flag.withDescription("The plan of one transport: its id, or a label such as smtp1"),
      optional
    ),
    pause: action("pause", "No bulk mail of the domain leaves until --resume"),
    resume: action("resume", "The same step begins again on the next day"),
    remove: action("remove", "End the plan; the waiting mail is sent at once. Asks first"),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* (given) {
    const { caps, domain: nameOrId, hours, pause, preset, remove, resume, startsOn, timezone, transactional } = given
    const { call } = yield* Api
    const actions = [preset !== undefined, pause, resume, remove].filter(Boolean).length
    if (actions > 1) return yield* wrongUsage("Pass one of --preset, --pause, --resume and --remove.")
    if (preset === undefined && [caps, startsOn, timezone, hours, transactional].some((value) => value !== undefined))
      return yield* wrongUsage("The fields of a plan need --preset.")
    const query = given.transport === undefined ? {} : { transport: given.transport }
    const { domain, id } = yield* domainOf(nameOrId)
    if (remove) {
      yield* confirm(`End the warm-up of ${domain}? Its waiting mail is sent at once.`, given.yes)
      yield* call(({ domains }) => domains.removeWarmup(id, query))
      return yield* Output.one({ id, domain, removed: true }, { rows: [["ended", domain]] })
    }
    const list = caps === undefined ? undefined : yield* capsOf(caps)
    const window = hours === undefined ? undefined : yield* hoursOf(hours)
    const plan = yield* call(({ domains }) => {
      if (pause) return domains.pauseWarmup(id, query)
      if (resume) return domains.resumeWarmup(id, query)
      if (preset === undefined) return domains.warmup(id, query)
      return domains.setWarmup(
        id,
        {
          preset,
          ...(list !== undefined && { caps: list }),
          ...(startsOn !== undefined && { startsOn }),
          ...(timezone !== undefined && { timezone }),
          ...(window !== undefined && { hours: window }),
          ...(transactional !== undefined && { transactional })
        },
        query
      )
    })
    yield* Output.one(plan, ...warmupBlocks(domain, plan))
  })
).pipe(
  Command.withDescription("Show, begin, pause, resume or end the warm-up of a domain: a cap for each day, which rises"),
  Command.withExamples([
    { command: "posthorn domains warmup mail.example.com" },
    { command: "posthorn domains warmup mail.example.com --preset STANDARD --hours 08:00-18:00" },
    { command: "posthorn domains warmup mail.example.com --preset CUSTOM --caps 50,100,200 --transport smtp1" },
    { command: "posthorn domains warmup mail.example.com --resume" }
  ]),
  withApi
)

const linkHost = Command.make(
  "link-host",
  {
    domain: domainArgument,
    host: Argument.String("host").pipe(
      Argument.withDescription("Host name below the domain; without it, shows the current one"),
      Argument.atMost(1)
    ),
    remove: Flag.Boolean("remove").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Links of new mail use the public URL again; links of sent mail keep working")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ domain: nameOrId, host: [host], remove }) {
    const { call } = yield* Api
    if (remove && host !== undefined) return yield* wrongUsage("Pass either a host or --remove.")
    const { id } = yield* domainOf(nameOrId)
    const domain = yield* remove || host !== undefined
      ? call(({ domains }) => domains.update(id, { linkHost: remove ? null : (host ?? null) }))
      : call(({ domains }) => domains.get(id))
    yield* Output.one(domain, ...domainBlocks(domain))
  })
).pipe(
  Command.withDescription("Show or set the host of the links in mail from a domain"),
  Command.withExamples([
    { command: "posthorn domains link-host mail.example.com links.mail.example.com" },
    { command: "posthorn domains link-host mail.example.com --remove" }
  ]),
  withApi
)

export const domains = Command.make("domains").pipe(
  Command.withDescription("Sender domains and their DNS records"),
  Command.withExamples([{ command: "posthorn domains add mail.example.com" }]),
  Command.withSubcommands([list, add, verify, health, dmarc, warmup, remove, trust, linkHost])
)
