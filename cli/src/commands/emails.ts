import type { Call, Posthorn } from "@posthorn/client"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { wrongUsage } from "../Failure.ts"
import { confirmPast, limitOptions, optional, pageLimit, upTo, yes } from "../options/Options.ts"
import { emailBlocks, emailDetailBlocks, emailHead, emailRow } from "../output/EmailText.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"

/** The argument of commands on a single email. */
const emailId = Argument.String("id").pipe(
  Argument.withDescription("Id of the email, from the output of `posthorn send`")
)

/** A verb that takes the id of an email and nothing else. */
const onEmail = <const Name extends string, A extends object>(
  name: Name,
  description: string,
  ask: (client: Posthorn, id: string) => Call<A>,
  blocks: (answer: A) => ReadonlyArray<Block>
) =>
  Command.make(
    name,
    { id: emailId, ...connectionOptions },
    Effect.fnUntraced(function* ({ id }) {
      const { call } = yield* Api
      const answer = yield* call((client) => ask(client, id))
      yield* Output.one(answer, ...blocks(answer))
    })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `posthorn emails ${name} 019a9f3c-0000-7000-8000-0000000000e1` }]),
    withApi
  )

const cancel = onEmail(
  "cancel",
  "Cancel a waiting or scheduled email",
  ({ emails }, id) => emails.cancel(id),
  emailBlocks
)
const retry = onEmail(
  "retry",
  "Send a failed or ambiguous email again, with the same Message-ID",
  ({ emails }, id) => emails.retry(id),
  emailBlocks
)
const show = onEmail(
  "show",
  "Show an email, its delivery attempts and its events",
  ({ emails }, id) => emails.get(id),
  emailDetailBlocks
)

const filter = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), optional)

const list = Command.make(
  "list",
  {
    status: filter("status", "Only mail in these states, such as SENT,DELIVERED"),
    sourceType: Flag.Literals("source-type", ["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW"]).pipe(
      Flag.withDescription("Only emails from this source"),
      optional
    ),
    mode: Flag.Literals("mode", ["LIVE", "TEST", "ALL"]).pipe(
      Flag.withDescription("LIVE (default), TEST for mail of test mode only, or ALL for both"),
      optional
    ),
    tag: Flag.String("tag").pipe(
      Flag.withMetavar("<tag>"),
      Flag.withDescription("Only mail with this tag, such as order or order:4711; may be repeated, all must match"),
      Flag.atLeast(0)
    ),
    sort: Flag.Literals("sort", ["createdAt", "scheduledFor"]).pipe(
      Flag.withDescription("scheduledFor lists the next mail first; needs --status SCHEDULED"),
      optional
    ),
    to: filter("to", "Only mail to this address"),
    contactId: filter("contact-id", "Only mail of this contact"),
    campaignId: filter("campaign-id", "Only mail of this campaign"),
    workflowId: filter("workflow-id", "Only mail of this workflow"),
    templateId: filter("template-id", "Only mail of this template"),
    groupId: filter("group-id", "Only mail of this group: one mail and its copies"),
    startDate: filter("start-date", "Created at or after this date or date-time"),
    endDate: filter("end-date", "Created before this date-time, or on or before this date"),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ url, key, project, dataDir, limit, all, tag, ...query }) {
    const { items } = yield* Api
    const emails = items(({ emails }) =>
      emails.list({ ...query, ...(tag.length > 0 && { tag }), limit: pageLimit({ limit, all }) })
    )
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

const reschedule = Command.make(
  "reschedule",
  {
    id: emailId,
    time: Argument.String("time").pipe(
      Argument.withDescription("When to send, in ISO 8601; UTC unless it has a zone"),
      Argument.optional,
      Argument.map(Option.getOrUndefined)
    ),
    now: Flag.Boolean("now").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Send it at once")
    ),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, time, now, yes }) {
    const { call } = yield* Api
    if (now === (time !== undefined)) return yield* wrongUsage("Pass either a time or --now.")
    yield* confirmPast(time, "the mail would be sent at once", yes)
    const email = yield* call(({ emails }) => emails.update(id, { scheduledFor: time ?? null }))
    yield* Output.one(email, ...emailBlocks(email))
  })
).pipe(
  Command.withDescription("Send a scheduled email at another time; asks if that is in the past"),
  Command.withExamples([
    { command: "posthorn emails reschedule 019a9f3c-0000-7000-8000-0000000000e1 2026-12-24T09:00:00Z" },
    { command: "posthorn emails reschedule 019a9f3c-0000-7000-8000-0000000000e1 --now" }
  ]),
  withApi
)

export const emails = Command.make("emails").pipe(
  Command.withDescription("The delivery ledger: one record for each email to each recipient"),
  Command.withExamples([{ command: "posthorn emails list --status BOUNCED" }]),
  Command.withSubcommands([list, show, reschedule, retry, cancel])
)
