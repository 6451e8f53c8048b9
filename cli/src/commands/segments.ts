import { Command } from "effect/cli"
import { add } from "./segments/add.ts"
import { compute } from "./segments/compute.ts"
import { create } from "./segments/create.ts"
import { remove as deleteSegment } from "./segments/delete.ts"
import { list } from "./segments/list.ts"
import { members } from "./segments/members.ts"
import { refresh } from "./segments/refresh.ts"
import { remove } from "./segments/remove.ts"
import { show } from "./segments/show.ts"
import { update } from "./segments/update.ts"

export const segments = Command.make("segments").pipe(
  Command.withDescription("Named parts of the audience, by a condition or by hand"),
  Command.withExamples([
    {
      command: `posthorn segments create Pro --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`
    },
    { command: "posthorn segments members pro" }
  ]),
  Command.withSubcommands([list, show, create, update, deleteSegment, members, add, remove, compute, refresh])
)
