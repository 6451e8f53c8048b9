/** Commands that show how a campaign does: its recipients, results and experiment. */

import type { Email } from "@posthorn/client"
import { variantKeys } from "@posthorn/contract/automation/campaigns/CampaignExperiment"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { campaignId } from "../api/Lookups.ts"
import { Json } from "../Json.ts"
import { limitOptions, optional, pageLimit, upTo } from "../options/Options.ts"
import {
  experimentBlocks,
  linkBlocks,
  providerBlocks,
  recipientHead,
  recipientRow,
  reportBlocks,
  statsBlocks
} from "../output/CampaignText.ts"
import * as Output from "../output/Output.ts"
import { progress } from "../output/Progress.ts"

export const recipients = Command.make(
  "recipients",
  {
    id: campaignId,
    status: Flag.String("status").pipe(Flag.withDescription("Only mail in this state, such as FAILED"), optional),
    variant: Flag.Literals("variant", variantKeys).pipe(Flag.withDescription("Only mail of this variant"), optional),
    search: Flag.String("search").pipe(Flag.withDescription("Only addresses that contain this text"), optional),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, status, variant, search, limit, all }) {
    const { items } = yield* Api
    const found = items(({ campaigns }) =>
      campaigns.recipients(id, {
        status: status as Email["status"] | undefined,
        variant,
        search,
        limit: pageLimit({ limit, all })
      })
    )
    yield* Output.list(upTo({ limit, all })(found), {
      head: recipientHead,
      row: recipientRow,
      none: "No recipients. The campaign has not been sent, or no recipient matches."
    })
  })
).pipe(
  Command.withDescription("List the recipients of a campaign with the state of each mail"),
  Command.withExamples([
    { command: "posthorn campaigns recipients 019a9f3c-0000-7000-8000-0000000000d1 --status FAILED --all" }
  ]),
  withApi
)

export const stats = Command.make(
  "stats",
  { id: campaignId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const stats = yield* call(({ campaigns }) => campaigns.stats(id))
    yield* Output.one(stats, ...statsBlocks(stats))
  })
).pipe(
  Command.withDescription("Show the current counters and rates of a campaign"),
  Command.withExamples([{ command: "posthorn campaigns stats 019a9f3c-0000-7000-8000-0000000000d1" }]),
  withApi
)

const ofVariant = Flag.Literals("variant", variantKeys).pipe(
  Flag.withDescription("Only mails of this variant"),
  optional
)

export const links = Command.make(
  "links",
  { id: campaignId, variant: ofVariant, ...connectionOptions },
  Effect.fnUntraced(function* ({ id, variant }) {
    const { call } = yield* Api
    const found = yield* call(({ campaigns }) => campaigns.links(id, { variant }))
    yield* Output.one(found, ...linkBlocks(found))
  })
).pipe(
  Command.withDescription("Show the current clicks on each link of a campaign"),
  Command.withExamples([{ command: "posthorn campaigns links 019a9f3c-0000-7000-8000-0000000000d1" }]),
  withApi
)

export const providers = Command.make(
  "providers",
  { id: campaignId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const found = yield* call(({ campaigns }) => campaigns.providers(id))
    yield* Output.one(found, ...providerBlocks(found.providers))
  })
).pipe(
  Command.withDescription("Show the current results of a campaign by mailbox provider of the recipients"),
  Command.withExamples([{ command: "posthorn campaigns providers 019a9f3c-0000-7000-8000-0000000000d1" }]),
  withApi
)

export const report = Command.make(
  "report",
  {
    id: campaignId,
    by: Flag.Literals("by", ["variant", "hour", "provider"]).pipe(
      Flag.withDescription("What a line stands for; default: variant"),
      optional
    ),
    variant: ofVariant,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, by, variant }) {
    const { call } = yield* Api
    const found = yield* call(({ campaigns }) => campaigns.report(id, { by, variant }))
    yield* Output.one(found, ...reportBlocks(found))
  })
).pipe(
  Command.withDescription("Show the current results of a campaign by variant, by hour or by mailbox provider"),
  Command.withExamples([{ command: "posthorn campaigns report 019a9f3c-0000-7000-8000-0000000000d1 --by hour" }]),
  withApi
)

export const experiment = Command.make(
  "experiment",
  {
    id: campaignId,
    winner: Flag.String("winner").pipe(
      Flag.withDescription("Give the rest of the audience this variant, such as B"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, winner }) {
    const { call } = yield* Api
    const figures = yield* call(({ campaigns }) =>
      winner === undefined ? campaigns.experiment(id) : campaigns.decideExperiment(id, { variant: winner })
    )
    yield* Output.one(figures, ...experimentBlocks(figures))
  })
).pipe(
  Command.withDescription("Show how the variants of a campaign do, or choose the winner"),
  Command.withExamples([
    { command: "posthorn campaigns experiment 019a9f3c-0000-7000-8000-0000000000d1" },
    { command: "posthorn campaigns experiment 019a9f3c-0000-7000-8000-0000000000d1 --winner B" }
  ]),
  withApi
)

/** Between two requests. */
const watchPause = "1 second"

/** States that change without a command. */
const moves = new Set(["SCHEDULED", "SENDING"])

export const watch = Command.make(
  "watch",
  { id: campaignId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const isJson = yield* Json
    const bar = yield* progress("mails")
    const look = Effect.gen(function* () {
      const { status, paused, estimatedRecipients } = yield* call(({ campaigns }) => campaigns.get(id))
      const stats = yield* call(({ campaigns }) => campaigns.stats(id))
      return { id, status, paused, estimatedRecipients, ...stats }
    })
    const tell = (found: Effect.Success<typeof look>) => {
      if (isJson) return Console.log(JSON.stringify(found))
      const { sentCount, failedCount, suppressedCount, cancelledCount, ambiguousCount } = found
      const done = sentCount + failedCount + suppressedCount + cancelledCount + ambiguousCount
      return bar.show(done, found.totalRecipients || found.estimatedRecipients)
    }
    let last = yield* look
    let printed = ""
    while (true) {
      const text = JSON.stringify(last)
      if (!isJson || text !== printed) yield* tell(last)
      printed = text
      if (!moves.has(last.status) && last.pendingCount === 0) break
      yield* Effect.sleep(watchPause)
      last = yield* look
    }
    if (isJson) return
    yield* bar.clear
    const { status } = last
    yield* Output.one(last, { rows: [["status", status]] }, ...statsBlocks(last))
  })
).pipe(
  Command.withDescription("Show the progress of a campaign until it ends; with --json, print a line for each change"),
  Command.withExamples([{ command: "posthorn campaigns watch 019a9f3c-0000-7000-8000-0000000000d1" }]),
  withApi
)
