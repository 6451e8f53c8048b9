import { Command } from "effect/cli"
import { cancel } from "./campaigns/cancel.ts"
import { create } from "./campaigns/create.ts"
import { remove } from "./campaigns/delete.ts"
import { duplicate } from "./campaigns/duplicate.ts"
import { list } from "./campaigns/list.ts"
import { pause } from "./campaigns/pause.ts"
import { recipients } from "./campaigns/recipients.ts"
import { resume } from "./campaigns/resume.ts"
import { retryFailed } from "./campaigns/retry-failed.ts"
import { schedule } from "./campaigns/schedule.ts"
import { send } from "./campaigns/send.ts"
import { show } from "./campaigns/show.ts"
import { stats } from "./campaigns/stats.ts"
import { test } from "./campaigns/test.ts"
import { update } from "./campaigns/update.ts"
import { watch } from "./campaigns/watch.ts"

export const campaigns = Command.make("campaigns").pipe(
  Command.withDescription("One text to an audience, sent at once or at a time"),
  Command.withExamples([{ command: "posthorn campaigns list --status SENDING" }]),
  Command.withSubcommands([
    list,
    show,
    create,
    update,
    send,
    schedule,
    watch,
    stats,
    recipients,
    pause,
    resume,
    cancel,
    retryFailed,
    test,
    duplicate,
    remove
  ])
)
