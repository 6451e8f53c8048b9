/**
 * `node packages/client/generate.ts` writes the generated files of src from openapi.json. With `--check` it fails if a
 * committed one differs.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { argv } from "node:process"
import type { OpenAPIObject } from "openapi3-ts/oas31"
import { factsText, rolesText } from "./generate/Facts.ts"
import { indented } from "./generate/Indent.ts"
import { operationsOf } from "./generate/Operations.ts"
import { resourcesText, sessionResourcesText } from "./generate/Resources.ts"
import { typesText } from "./generate/Types.ts"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

const document: OpenAPIObject = JSON.parse(read("../../openapi/openapi.json"))
const operations = operationsOf(document)
const files = {
  "types.generated.ts": typesText(document, operations),
  "resources.generated.ts": resourcesText(document, operations),
  "session.generated.ts": sessionResourcesText(document, operations),
  "operations.generated.ts": factsText(document),
  "roles.generated.ts": rolesText(document)
}

for (const [name, text] of Object.entries(files)) {
  const content = `// Generated from openapi.json by generate.ts; not to be edited.\n${indented(text)}`
  if (!argv.includes("--check")) writeFileSync(new URL(`src/${name}`, import.meta.url), content)
  else if (read(`src/${name}`) !== content) {
    console.error(
      `packages/client/src/${name} differs from openapi.json: run \`npm run generate\` and commit the result.`
    )
    process.exitCode = 1
  }
}
