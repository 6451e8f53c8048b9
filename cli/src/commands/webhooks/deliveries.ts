import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { limitOptions, pageLimit, upTo } from "../../options/Limit.ts"
import { optional } from "../../options/Optional.ts"
import { webhookId } from "../../options/Webhook.ts"
import * as Output from "../../output/Output.ts"
import { deliveryBlocks, deliveryHead, deliveryRow } from "../../output/WebhookText.ts"

const filter = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), optional)

export const deliveries = Command.make(
  "deliveries",
  {
    id: webhookId,
    delivery: Argument.String("delivery").pipe(
      Argument.withDescription("Id of a delivery: shows it with its payload and every try"),
      Argument.atMost(1)
    ),
    status: Flag.Literals("status", ["PENDING", "SUCCEEDED", "FAILED"]).pipe(
      Flag.withDescription("Only deliveries in this state"),
      optional
    ),
    type: filter("type", "Only deliveries of this type, as email.bounce"),
    startDate: filter("start-date", "Made at or after it: a date or a date-time"),
    endDate: filter("end-date", "Made before it: a date, whose whole day counts, or a date-time"),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, delivery: given, url, key, project, dataDir, limit, all, ...query }) {
    const { call, items } = yield* Api
    const [one] = given
    if (one !== undefined) {
      const delivery = yield* call(({ webhooks }) => webhooks.delivery(id, one))
      return yield* Output.one(delivery, ...deliveryBlocks(delivery))
    }
    const found = items(({ webhooks }) => webhooks.deliveries(id, { ...query, limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(found), {
      head: deliveryHead,
      row: deliveryRow,
      none: "Nothing was delivered to it yet. Try it with `posthorn webhooks test <id>`."
    })
  })
).pipe(
  Command.withDescription("List what a webhook was told, newest first, or show one delivery"),
  Command.withExamples([
    { command: "posthorn webhooks deliveries 019a9f3c-0000-7000-8000-0000000000f1 --status FAILED" },
    {
      command:
        "posthorn webhooks deliveries 019a9f3c-0000-7000-8000-0000000000f1 019a9f3c-0000-7000-8000-0000000000f2 --json",
      description: "One, with its payload and tries"
    }
  ]),
  withApi
)
