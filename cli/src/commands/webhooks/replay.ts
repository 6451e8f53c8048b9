import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { wrongUsage } from "../../Failure.ts"
import { optional } from "../../options/Optional.ts"
import { webhookId } from "../../options/Webhook.ts"
import * as Output from "../../output/Output.ts"
import { deliveryBlock } from "../../output/WebhookText.ts"

export const replay = Command.make(
  "replay",
  {
    id: webhookId,
    delivery: Argument.String("delivery").pipe(
      Argument.withDescription("Id of one delivery; without it --start-date says which"),
      Argument.atMost(1)
    ),
    startDate: Flag.String("start-date").pipe(Flag.withDescription("From when on: a date or a date-time"), optional),
    endDate: Flag.String("end-date").pipe(Flag.withDescription("Until when"), optional),
    status: Flag.Literals("status", ["failed", "missed", "all"]).pipe(
      Flag.withDescription("What failed (unless said otherwise), what was missed while it was disabled, or all"),
      optional
    ),
    types: Flag.String("types").pipe(
      Flag.withDescription("Only these types, as email.*; may be repeated"),
      Flag.atLeast(0)
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, delivery: given, startDate, endDate, status, types }) {
    const { call } = yield* Api
    const [one] = given
    if (one !== undefined) {
      const delivery = yield* call(({ webhooks }) => webhooks.replayDelivery(id, one))
      return yield* Output.one(delivery, deliveryBlock(delivery))
    }
    if (startDate === undefined) return yield* wrongUsage("Give a delivery, or --start-date.")
    const { queued } = yield* call(({ webhooks }) => webhooks.replay(id, { startDate, endDate, status, types }))
    yield* Output.one({ id, queued }, { rows: [["queued", queued]] })
  })
).pipe(
  Command.withDescription("Deliver again: one delivery, or those of a time, at most 10,000"),
  Command.withExamples([
    { command: "posthorn webhooks replay 019a9f3c-0000-7000-8000-0000000000f1 --start-date 2026-03-01" },
    { command: "posthorn webhooks replay 019a9f3c-0000-7000-8000-0000000000f1 --start-date 2026-03-01 --status missed" }
  ]),
  withApi
)
