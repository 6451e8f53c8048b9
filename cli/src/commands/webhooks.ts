import { Command } from "effect/cli"
import { add } from "./webhooks/add.ts"
import { deliveries } from "./webhooks/deliveries.ts"
import { get } from "./webhooks/get.ts"
import { list } from "./webhooks/list.ts"
import { remove } from "./webhooks/remove.ts"
import { replay } from "./webhooks/replay.ts"
import { rotateSecret } from "./webhooks/rotate-secret.ts"
import { test } from "./webhooks/test.ts"
import { update } from "./webhooks/update.ts"

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("URLs that are told what happens"),
  Command.withExamples([{ command: "posthorn webhooks list" }]),
  Command.withSubcommands([list, get, add, update, remove, test, deliveries, replay, rotateSecret])
)
