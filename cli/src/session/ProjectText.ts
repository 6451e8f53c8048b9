/** A project of the logged-in user, as an argument and as output. */
import { Option } from "effect"
import { Argument } from "effect/cli"
import type { Block } from "../output/Table.ts"
import type { Project, ProjectWithSecret } from "./Session.ts"

export const ownProjectArgument = Argument.String("project").pipe(
  Argument.withDescription("Id or name of a project of the user; default: the current project"),
  Argument.optional,
  Argument.map(Option.getOrUndefined)
)

export const ownProjectBlock = ({ id, name, role, disabledReason }: Project): Block => ({
  rows: [
    ["project", name],
    ["project id", id],
    ["role", role],
    ["state", disabledReason === null ? "enabled" : `disabled: ${disabledReason}`]
  ]
})

export const ownKeysBlock = ({ public: publicKey, secret }: ProjectWithSecret): Block => ({
  rows: [
    ["public key", publicKey],
    ["secret key", secret]
  ]
})
