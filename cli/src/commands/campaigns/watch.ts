import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { campaignId } from "../../api/CampaignArgument.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { Json } from "../../Json.ts"
import { statsBlocks } from "../../output/CampaignText.ts"
import * as Output from "../../output/Output.ts"
import { progress } from "../../output/Progress.ts"

/** Between two looks. */
const pause = "1 second"

/** States in which there is something to wait for. */
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
    let told = ""
    while (true) {
      const text = JSON.stringify(last)
      if (!isJson || text !== told) yield* tell(last)
      told = text
      if (!moves.has(last.status) && last.pendingCount === 0) break
      yield* Effect.sleep(pause)
      last = yield* look
    }
    if (isJson) return
    yield* bar.clear
    const { status } = last
    yield* Output.one(last, { rows: [["status", status]] }, ...statsBlocks(last))
  })
).pipe(
  Command.withDescription("Show how far a campaign is until it has come to its end; with --json a line at each change"),
  Command.withExamples([{ command: "posthorn campaigns watch 019a9f3c-0000-7000-8000-0000000000d1" }]),
  withApi
)
