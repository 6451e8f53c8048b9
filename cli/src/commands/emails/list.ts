import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { limitOptions, pageLimit, upTo } from "../../options/Limit.ts"
import { optional } from "../../options/Optional.ts"
import { emailHead, emailRow } from "../../output/EmailText.ts"
import * as Output from "../../output/Output.ts"

const filter = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), optional)

export const list = Command.make(
  "list",
  {
    status: filter("status", "Only mail in these states, as SENT,DELIVERED"),
    sourceType: Flag.Literals("source-type", ["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW"]).pipe(
      Flag.withDescription("Only mail made this way"),
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
