/** Data folders for tests. Creating an embedded database takes seconds; unpacking one does not. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync } from "node:fs"
import { dirname, join } from "node:path"
import { inject } from "vitest"
import type {} from "./template.ts"

/** An empty folder. It is removed after the test run. */
export const newFolder = (): string => mkdtempSync(join(dirname(inject("pgliteTemplate")), "data-"))

/** A folder with an embedded database that is migrated and empty. */
export const dataFolder = (): string => {
  const folder = newFolder()
  const database = join(folder, "database")
  mkdirSync(database)
  execFileSync("tar", ["-xf", inject("pgliteTemplate"), "-C", database], { stdio: "ignore" })
  return folder
}
