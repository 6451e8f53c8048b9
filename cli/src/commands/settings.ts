import type { AudienceSettings, UpdateAudienceSettings } from "@posthorn/client"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { jsonObject, optional } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** One row for each setting, groups with their name before it. */
const block = (settings: AudienceSettings): Block => ({
  head: ["setting", "value"],
  rows: Object.entries(settings).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
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

export const settings = Command.make("settings").pipe(
  Command.withDescription("Settings of the project"),
  Command.withExamples([{ command: "posthorn settings audience get" }]),
  Command.withSubcommands([audience])
)
