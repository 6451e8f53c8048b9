/** The program `posthorn` as published on npm: a bundle, made from the sources for each run. */
import { fileURLToPath } from "node:url"
import { builtProgram } from "@posthorn/core/testing/BuiltProgram"
import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"

/** The same program from its sources, so that a profile has the names of our files. */
export const sources = fileURLToPath(new URL("../../../../cli/src/main.ts", import.meta.url))

/** The path of the program, built on first use. */
export const program: Effect.Effect<string, BenchFailure> = Effect.tryPromise({
  try: builtProgram,
  catch: (cause) => new BenchFailure({ message: `The program cannot be built: ${String(cause)}` })
})
