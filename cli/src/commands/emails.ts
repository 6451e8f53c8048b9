import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { emailId } from "../api/EmailId.ts"
import { limitOptions, pageLimit, upTo } from "../options/Limit.ts"
import { optional } from "../options/Optional.ts"
import { emailBlocks, emailDetailBlocks, emailHead, emailRow } from "../output/EmailText.ts"
import * as Output from "../output/Output.ts"

const cancel = Command.make(
  "cancel",
  { id: emailId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const email = yield* call(({ emails }) => emails.cancel(id))
    yield* Output.one(email, ...emailBlocks(email))
  })
).pipe(
  Command.withDescription("Cancel an email that is still waiting to be sent"),
  Command.withExamples([{ command: "posthorn emails cancel 019a9f3c-0000-7000-8000-0000000000e1" }]),
  withApi
)

const filter = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), optional)

const list = Command.make(
  "list",
  {
    status: filter("status", "Only mail in these states, as SENT,DELIVERED"),
    sourceType: Flag.Literals("source-type", ["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW"]).pipe(
      Flag.withDescription("Only emails from this source"),
      optional
    ),
    to: filter("to", "Only mail to this address"),
    contactId: filter("contact-id", "Only mail of this contact"),
    campaignId: filter("campaign-id", "Only mail of this campaign"),
    workflowId: filter("workflow-id", "Only mail of this workflow"),
    templateId: filter("template-id", "Only mail of this template"),
    startDate: filter("start-date", "Made at or after it: a date or a date-time"),
    endDate: filter("end-date", "Made before it: a date, whose whole day counts, or a date-time"),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ url, key, project, dataDir, limit, all, ...query }) {
    const { items } = yield* Api
    const emails = items(({ emails }) => emails.list({ ...query, limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(emails), {
      head: emailHead,
      row: emailRow,
      none: "No mail. Send one with `posthorn send`."
    })
  })
).pipe(
  Command.withDescription("List mail, newest first"),
  Command.withExamples([
    { command: "posthorn emails list --status BOUNCED,FAILED --start-date 2026-03-01" },
    { command: "posthorn emails list --to ada@example.com --all --json", description: "Everything to one address" }
  ]),
  withApi
)

const retry = Command.make(
  "retry",
  { id: emailId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const email = yield* call(({ emails }) => emails.retry(id))
    yield* Output.one(email, ...emailBlocks(email))
  })
).pipe(
  Command.withDescription("Send a failed or ambiguous email again, with the same Message-ID"),
  Command.withExamples([{ command: "posthorn emails retry 019a9f3c-0000-7000-8000-0000000000e1" }]),
  withApi
)

const show = Command.make(
  "show",
  { id: emailId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const email = yield* call(({ emails }) => emails.get(id))
    yield* Output.one(email, ...emailDetailBlocks(email))
  })
).pipe(
  Command.withDescription("Show an email, its delivery attempts and its events"),
  Command.withExamples([{ command: "posthorn emails show 019a9f3c-0000-7000-8000-0000000000e1" }]),
  withApi
)

export const emails = Command.make("emails").pipe(
  Command.withDescription("The delivery ledger: one record for each email to each recipient"),
  Command.withExamples([{ command: "posthorn emails list --status BOUNCED" }]),
  Command.withSubcommands([list, show, retry, cancel])
)
