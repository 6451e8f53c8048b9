/** The data folder of an installation (doors 2). */
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { orVariable } from "./Environment.ts"
import { optional } from "./Optional.ts"

export const dataDirOption = Flag.String("data-dir").pipe(
  Flag.withMetavar("<folder>"),
  Flag.withDescription("Data folder; else POSTHORN_DATA_DIR, else ./.posthorn"),
  optional
)

export const dataDirOf = (option: string | undefined): Effect.Effect<string> =>
  Effect.map(orVariable(option, "POSTHORN_DATA_DIR"), (folder) => folder ?? "./.posthorn")
