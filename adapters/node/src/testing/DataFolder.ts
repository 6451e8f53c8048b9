/** Data folders for tests: making a new embedded database takes seconds, unpacking one does not. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type {} from "@posthorn/core/testing/template"
import { inject } from "vitest"

/** Empty. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), "posthorn-data-"))

/** With an embedded database that is up to date and has nothing in it. */
export const dataFolder = (): string => {
  const folder = newFolder()
  const database = join(folder, "database")
  mkdirSync(database)
  execFileSync("tar", ["-xf", inject("pgliteTemplate"), "-C", database], { stdio: "ignore" })
  return folder
}
