import { Command } from "effect/cli"
import { disable } from "./workflows/disable.ts"
import { enable } from "./workflows/enable.ts"
import { executions } from "./workflows/executions.ts"
import { list } from "./workflows/list.ts"
import { pull } from "./workflows/pull.ts"
import { push } from "./workflows/push.ts"
import { run } from "./workflows/run.ts"

export const workflows = Command.make("workflows").pipe(
  Command.withDescription("Graphs of steps that contacts go through, kept as files where that is wanted"),
  Command.withExamples([
    { command: "posthorn workflows pull --folder workflows" },
    { command: "posthorn workflows push workflows/welcome.yaml" },
    { command: "posthorn workflows enable Welcome" }
  ]),
  Command.withSubcommands([list, pull, push, enable, disable, run, executions])
)
