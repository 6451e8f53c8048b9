/** A project with its keys, which are shown only this once. */
import type { Project } from "@posthorn/core/accounts/projects/Project"
import type { Keys } from "@posthorn/core/accounts/projects/Projects"
import { Redacted } from "effect"
import type { Block } from "../output/Table.ts"

/** For programs: the record of the API, with the keys named as in `posthorn dev`. */
export const projectRecord = ({ disabled, ...project }: Project) => ({
  ...project,
  disabled: disabled !== null,
  disabledReason: disabled
})

export const keysRecord = ({ publicKey, secretKey }: Keys) => ({ publicKey, secretKey: Redacted.value(secretKey) })

export const projectBlock = ({ id, name, disabled }: Pick<Project, "id" | "name" | "disabled">): Block => ({
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
