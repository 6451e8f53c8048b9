/** What the generators of all languages share: the operations of openapi.json by group, their texts, and the file. */
import { readFileSync, writeFileSync } from "node:fs"
import { argv } from "node:process"
import type { OpenAPIObject, ParameterObject } from "openapi3-ts/oas31"
import { operationsOf } from "../packages/client/generate/Operations.ts"

const document: OpenAPIObject = JSON.parse(readFileSync(new URL("../openapi/openapi.json", import.meta.url), "utf8"))

/** Those that the client for TypeScript has. A stream of events has no end; `live` is for that client. */
const operations = operationsOf(document).filter(({ takesKey, events }) => takesKey && !events)

/** The operations by the name of their group, and those without one. */
export const groups = Object.entries(
  Object.groupBy(
    operations.filter(({ name }) => name.length > 1),
    ({ name }) => name[0]
  )
)
export const single = operations.filter(({ name }) => name.length === 1)

export const descriptionOf = (group: string): string | undefined =>
  document.tags?.find((tag) => tag.name === group)?.description

/** The first paragraph of each text. */
export const firstParagraphs = (texts: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  texts.flatMap((text) => text?.split("\n\n").slice(0, 1) ?? [])

/** A paragraph on lines of about 110 characters. */
export const folded = (paragraph: string): string => paragraph.replaceAll("\n", " ").replaceAll(/(.{80,105}) /g, "$1\n")

/** The type of a parameter in a query. */
export const typeOf = ({ schema = {} }: ParameterObject): "boolean" | "integer" | "number" | "string" =>
  !("$ref" in schema) && (schema.type === "integer" || schema.type === "number" || schema.type === "boolean")
    ? schema.type
    : "string"

/** Writes a file of this folder. With `--check` it fails if the committed file differs. */
export const write = (path: string, content: string): void => {
  const file = new URL(path, import.meta.url)
  if (!argv.includes("--check")) writeFileSync(file, content)
  else if (readFileSync(file, "utf8") !== content) {
    console.error(`sdks/${path} differs from openapi.json: run \`npm run generate\` and commit the result.`)
    process.exitCode = 1
  }
}
