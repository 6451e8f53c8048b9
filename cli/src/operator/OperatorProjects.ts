/** Finds and shows projects for an operator. */

import type { StoredProject } from "@posthorn/core/accounts/projects/Project"
import type { Keys } from "@posthorn/core/accounts/projects/Projects"
import { Array, Effect, Redacted } from "effect"
import { Argument, Flag } from "effect/cli"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { optional } from "../options/Options.ts"
import type { Block } from "../output/Table.ts"
import { Operator } from "./Operator.ts"

/** For programs: the record of the API. The keys have the same field names as in `posthorn dev`. */
export const projectRecord = ({ disabled, ...project }: StoredProject) => ({
  ...project,
  disabled: disabled !== null,
  disabledReason: disabled
})

export const keysRecord = ({ publicKey, secretKey }: Keys) => ({ publicKey, secretKey: Redacted.value(secretKey) })

export const projectBlock = ({ id, name, disabled }: Pick<StoredProject, "id" | "name" | "disabled">): Block => ({
  rows: [
    ["project", name],
    ["project id", id],
    ["state", disabled === null ? "enabled" : `disabled: ${disabled}`]
  ]
})

export const keysBlock = (keys: Keys): Block => ({
  rows: [
    ["public key", keys.publicKey],
    ["secret key", Redacted.value(keys.secretKey)]
  ]
})

/** For commands on a resource of a project. */
export const operatorProjectOption = Flag.String("project").pipe(
  Flag.withMetavar("<name>"),
  Flag.withDescription("Id or name of the project; the id if several have the same name"),
  optional
)

export const projectArgument = Argument.String("project").pipe(Argument.withDescription("Id or name of the project"))

/** Fails if several projects have the name. */
export const operatorProject = Effect.fnUntraced(function* (
  nameOrId: string
): Effect.fn.Return<StoredProject, CommandFailure, Operator> {
  const { projects } = yield* Operator
  const all = yield* projects.list
  const found = all.filter(({ id, name }) => id === nameOrId || name === nameOrId)
  if (Array.isReadonlyArrayNonEmpty(found) && found.length === 1) return found[0]
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(", ")
    return yield* wrongUsage(
      `${found.length} projects have the name ${nameOrId}.`,
      `Use the id of one of them: ${ids}.`
    )
  }
  return yield* new CommandFailure({
    exit: "notFound",
    code: "RESOURCE_NOT_FOUND",
    message: `There is no project ${nameOrId}.`,
    suggestion: "`posthorn projects list` shows all of them."
  })
})
