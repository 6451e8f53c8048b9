/**
 * `node packages/core/forms-script/generate.ts` builds `/forms.js` and writes it into the core. With `--check` it fails
 * if the committed one differs.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { argv } from "node:process"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const target = new URL("../src/audience/forms/FormScript.generated.ts", import.meta.url)
const build = await rolldown({ input: fileURLToPath(new URL("forms.ts", import.meta.url)), platform: "browser" })
const { output } = await build.generate({ format: "iife", minify: true })
const content = `// Generated from forms-script by generate.ts; not to be edited.
export const formsScript = ${JSON.stringify(output[0].code)}
`

if (!argv.includes("--check")) writeFileSync(target, content)
else if (readFileSync(target, "utf8") !== content) {
  console.error(
    "packages/core/src/audience/forms/FormScript.generated.ts differs from forms-script: run `npm run generate` and commit the result."
  )
  process.exitCode = 1
}
