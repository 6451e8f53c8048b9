/** The program `posthorn` as published on npm: a bundle, made from the sources for each run. */
import { execFile } from "node:child_process"
import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** The same program from its sources, so that a profile has the names of our files. */
export const sources = join(root, "cli/src/main.ts")

const build = async (folder: string) => {
  // Libraries installed beside the program are found from there.
  await symlink(join(root, "node_modules"), join(folder, "node_modules"))
  await promisify(execFile)(process.execPath, [join(root, ".ci/bundle.mjs"), folder])
  return join(folder, "dist/main.js")
}

/** The path of the program, built in the folder of the run on first use. */
export const make = (folder: string): Effect.Effect<Effect.Effect<string, BenchFailure>> =>
  Effect.cached(
    Effect.tryPromise({
      try: () => build(folder),
      catch: (cause) => new BenchFailure({ message: `The program cannot be built: ${String(cause)}` })
    })
  )
