/** Data folders for tests: making a new embedded database takes seconds, unpacking one does not. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync } from "node:fs"
import { dirname, join } from "node:path"
import { inject } from "vitest"
import type {} from "./template.ts"

/** Empty; gone when the test run is over. */
export const newFolder = (): string => mkdtempSync(join(dirname(inject("pgliteTemplate")), "data-"))

/** With an embedded database that is up to date and has nothing in it. */
export const dataFolder = (): string => {
  const folder = newFolder()
  const database = join(folder, "database")
  mkdirSync(database)
  execFileSync("tar", ["-xf", inject("pgliteTemplate"), "-C", database], { stdio: "ignore" })
  return folder
}
