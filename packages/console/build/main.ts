/**
 * `node packages/console/build/main.ts` builds the console if its sources changed since the last build. A development
 * server runs it, and so do the tests.
 */
import { resolve } from "node:path"
import { build } from "vite"
import { isBuilt } from "./Stamp.ts"

const home = resolve(import.meta.dirname, "..")

if (!isBuilt()) await build({ root: home, logLevel: "error" })
