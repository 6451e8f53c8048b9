/** `node openapi/generate.ts` writes openapi.json. With `--check` it fails if the committed file differs. */
import { readFileSync, writeFileSync } from "node:fs"
import { argv } from "node:process"
import { text } from "./document.ts"

const file = new URL("openapi.json", import.meta.url)

if (!argv.includes("--check")) writeFileSync(file, text)
else if (readFileSync(file, "utf8") !== text) {
  console.error("openapi/openapi.json differs from the contract: run `npm run generate` and commit the result.")
  process.exitCode = 1
}
