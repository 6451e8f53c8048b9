import { Command } from "effect/cli"
import { audit } from "./projects/audit.ts"
import { create } from "./projects/create.ts"
import { remove } from "./projects/delete.ts"
import { disable } from "./projects/disable.ts"
import { enable } from "./projects/enable.ts"
import { invite } from "./projects/invite.ts"
import { list } from "./projects/list.ts"
import { members } from "./projects/members.ts"
import { removeMember } from "./projects/remove-member.ts"
import { reset } from "./projects/reset.ts"
import { rotateKeys } from "./projects/rotate-keys.ts"
import { setRole } from "./projects/set-role.ts"
import { use } from "./projects/use.ts"

export const projects = Command.make("projects").pipe(
  Command.withDescription(
    "Projects, their keys and members: for operators over the database, for everybody else with a login"
  ),
  Command.withExamples([{ command: "posthorn projects list" }]),
  Command.withSubcommands([
    list,
    create,
    use,
    members,
    invite,
    setRole,
    removeMember,
    rotateKeys,
    reset,
    remove,
    enable,
    disable,
    audit
  ])
)
