import type { AudienceSettings, SendingSettings, UpdateAudienceSettings, UpdateSendingSettings } from "@posthorn/client"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { jsonList, jsonObject, optional } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** One row for each setting, groups with their name before it. */
const block = (settings: AudienceSettings | SendingSettings): Block => ({
  head: ["setting", "value"],
  rows: Object.entries(settings).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([key, nested]) => [`${name}.${key}`, valueText(nested)])
      : [[name, valueText(value)]]
  )
})

const get = Command.make(
  "get",
  connectionOptions,
  Effect.fnUntraced(function* () {
    const { call } = yield* Api
    const settings = yield* call(({ settings }) => settings.audience())
    yield* Output.one(settings, block(settings))
  })
).pipe(
  Command.withDescription("Show the rules of the audience: consent, pages of recipients, ingestion"),
  Command.withExamples([{ command: "posthorn settings audience get" }]),
  withApi
)

const groupOf = (name: string, description: string) =>
  jsonObject(name).pipe(Flag.withDescription(`${description}; absent fields keep their values`), optional)

const set = Command.make(
  "set",
  {
    doubleOptIn: groupOf("double-opt-in", "Who has to confirm, and the mail that asks"),
    topicRequired: Flag.Boolean("topic-required").pipe(
      Flag.withDescription("Marketing and headless mail must name a topic"),
      optional
    ),
    oneClickScope: Flag.Literals("one-click-scope", ["topic", "all"]).pipe(
      Flag.withDescription("What a one-click unsubscribe of mail with a topic leaves"),
      optional
    ),
    consent: groupOf("consent", "What records of consent have, and how long they stay"),
    selfService: groupOf("self-service", "What recipients may ask for themselves"),
    pages: groupOf("pages", "Name, colours and links of the pages of recipients"),
    ingest: groupOf("ingest", "What ingestion takes"),
    ...connectionOptions
  },
  Effect.fnUntraced(function* (change) {
    const { call } = yield* Api
    const { doubleOptIn, topicRequired, oneClickScope, consent, selfService, pages, ingest } = change
    const body = { doubleOptIn, topicRequired, oneClickScope, consent, selfService, pages, ingest }
    // The service checks the objects.
    const settings = yield* call(({ settings }) => settings.updateAudience(body as UpdateAudienceSettings))
    yield* Output.one(settings, block(settings))
  })
).pipe(
  Command.withDescription("Change rules of the audience"),
  Command.withExamples([
    { command: `posthorn settings audience set --pages '{"name":"Acme","color":"#1f5eff"}'` },
    { command: "posthorn settings audience set --topic-required" }
  ]),
  withApi
)

const audience = Command.make("audience").pipe(
  Command.withDescription("The rules of the audience"),
  Command.withExamples([{ command: "posthorn settings audience get" }]),
  Command.withSubcommands([get, set])
)

const getSending = Command.make(
  "get",
  connectionOptions,
  Effect.fnUntraced(function* () {
    const { call } = yield* Api
    const settings = yield* call(({ settings }) => settings.sending())
    yield* Output.one(settings, block(settings))
  })
).pipe(
  Command.withDescription("Show the rules of sending: quiet hours, frequency caps, and the approval of campaigns"),
  Command.withExamples([{ command: "posthorn settings sending get" }]),
  withApi
)

const setSending = Command.make(
  "set",
  {
    campaignApproval: Flag.Literals("campaign-approval", ["OFF", "MEMBERS", "ALL"]).pipe(
      Flag.withDescription("Whose campaigns need an approval: nobody's, those that a MEMBER sends, or all"),
      optional
    ),
    quietHours: jsonObject("quiet-hours").pipe(
      Flag.withDescription("Hours in which no marketing mail of a campaign or workflow begins; replaces those before"),
      optional
    ),
    noQuietHours: Flag.Boolean("remove-quiet-hours").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Remove the quiet hours")
    ),
    frequencyCaps: jsonList("frequency-caps", `[{"id":"week","limit":3,"amount":7,"unit":"days"}]`).pipe(
      Flag.withDescription("The most marketing mails to one contact in spans of time; replaces those before"),
      optional
    ),
    onCap: jsonObject("on-cap").pipe(
      Flag.withDescription("What happens to mail above a cap, by source: SKIP or WAIT"),
      optional
    ),
    maxWaitHours: Flag.Int("max-wait-hours").pipe(
      Flag.withDescription("How long mail waits for a cap before it is dropped, in hours"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ noQuietHours, url: _, key: __, project: ___, dataDir: ____, ...change }) {
    const { call } = yield* Api
    const body = { ...change, ...(noQuietHours && { quietHours: null }) }
    // The service checks the objects.
    const settings = yield* call(({ settings }) => settings.updateSending(body as UpdateSendingSettings))
    yield* Output.one(settings, block(settings))
  })
).pipe(
  Command.withDescription("Change rules of sending"),
  Command.withExamples([
    { command: `posthorn settings sending set --quiet-hours '{"from":"21:00","to":"08:00"}'` },
    { command: "posthorn settings sending set --remove-quiet-hours" },
    {
      command: `posthorn settings sending set --frequency-caps '[{"id":"week","limit":3,"amount":7,"unit":"days"}]' --on-cap '{"campaigns":"WAIT"}'`
    },
    { command: "posthorn settings sending set --campaign-approval MEMBERS" }
  ]),
  withApi
)

const sending = Command.make("sending").pipe(
  Command.withDescription("The rules of sending"),
  Command.withExamples([{ command: "posthorn settings sending get" }]),
  Command.withSubcommands([getSending, setSending])
)

export const settings = Command.make("settings").pipe(
  Command.withDescription("Settings of the project"),
  Command.withExamples([{ command: "posthorn settings audience get" }]),
  Command.withSubcommands([audience, sending])
)
