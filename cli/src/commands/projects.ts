import { Command } from "effect/cli"
import { create } from "./projects/create.ts"
import { disable } from "./projects/disable.ts"
import { enable } from "./projects/enable.ts"
import { list } from "./projects/list.ts"
import { rotateKeys } from "./projects/rotate-keys.ts"

export const projects = Command.make("projects").pipe(
  Command.withDescription("Projects and their keys; for operators, over the database"),
  Command.withExamples([{ command: "posthorn projects list" }]),
  Command.withSubcommands([list, create, rotateKeys, enable, disable])
)
