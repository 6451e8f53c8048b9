/**
 * `node sdks/go/generate.ts` writes resources.go from openapi.json, with the operations that the client for TypeScript has.
 * With `--check` it fails if the committed file differs.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { argv } from "node:process"
import type { OpenAPIObject, ParameterObject } from "openapi3-ts/oas31"
import { type Operation, operationsOf, pascal } from "../../packages/client/generate/Operations.ts"

const document: OpenAPIObject = JSON.parse(readFileSync(new URL("../../openapi/openapi.json", import.meta.url), "utf8"))
// A stream of events has no end; `live` is for the client in TypeScript.
const operations = operationsOf(document).filter(({ takesKey, events }) => takesKey && !events)

/** The first paragraph of each, on lines of about 110 characters. */
const comment = (name: string, ...paragraphs: ReadonlyArray<string | undefined>): string =>
  paragraphs
    .flatMap((text) => text?.split("\n\n").slice(0, 1) ?? [])
    .map((text, index) => (index === 0 ? `${name}: ${text}` : text))
    .map((text) => text.replaceAll("\n", " ").replaceAll(/(.{80,105}) /g, "$1\n"))
    .join("\n\n")
    .split("\n")
    .map((line) => `// ${line}`.trimEnd())
    .join("\n")

const setters = { integer: "setInt", number: "setFloat", boolean: "setBool", string: "setString" }
const types = { integer: "int", number: "float64", boolean: "*bool", string: "string" }
const kindOf = ({ schema = {} }: ParameterObject): keyof typeof types =>
  !("$ref" in schema) && (schema.type === "integer" || schema.type === "number" || schema.type === "boolean")
    ? schema.type
    : "string"

const queryName = ({ name }: Operation) => `${pascal(...name)}Query`

/** Laid out as gofmt does. */
const queryType = (operation: Operation): string => {
  const width = Math.max(...operation.query.map(({ name }) => name.length))
  const fields = operation.query.map((one) => `\t${pascal(one.name).padEnd(width)} ${types[kindOf(one)]}\n`)
  const sets = operation.query.map((one) => `\t${setters[kindOf(one)]}(values, "${one.name}", q.${pascal(one.name)})\n`)
  return `// ${queryName(operation)} has the parameters of ${pascal(...operation.name)}; zero values are left out.
type ${queryName(operation)} struct {
${fields.join("")}}

func (q ${queryName(operation)}) values() url.Values {
	values := url.Values{}
${sets.join("")}	return values
}
`
}

const method = (receiver: string, operation: Operation): string => {
  const { name, parameters, body, query, keyed, item, stream } = operation
  const title = pascal(name.at(-1) ?? "")
  const template = operation.path.replaceAll(/\{\w+\}/g, "%s")
  const route = parameters.length === 0 ? `"${template}"` : `pathOf(${[`"${template}"`, ...parameters].join(", ")})`
  const fields = [
    `method: "${operation.method}"`,
    `route: ${route}`,
    ...(query.length > 0 ? ["query: query.values()"] : []),
    ...(body === undefined ? [] : ["body: body"]),
    ...(operation.publicKey ? ["public: true"] : []),
    ...(keyed ? ["keyed: true"] : []),
    ...(operation.form ? ["form: true"] : [])
  ]
  const call = `call{${fields.join(", ")}}`
  const given = [
    ...parameters.map((parameter) => `${parameter} string`),
    ...(body === undefined ? [] : [`body ${operation.form ? "map[string]interface{}" : "interface{}"}`]),
    ...(query.length > 0 ? [`query ${queryName(operation)}`] : [])
  ]
  const all = [
    ...(item === undefined ? ["ctx context.Context"] : []),
    ...given,
    ...(item === undefined && !stream ? ["out interface{}"] : []),
    ...(item === undefined ? ["options ...CallOption"] : [])
  ]
  const [result, text] =
    item !== undefined
      ? ["*Items", `itemsOf(r.requests, ${call})`]
      : stream
        ? ["(io.ReadCloser, error)", `r.requests.stream(ctx, ${call}, options)`]
        : ["error", `r.requests.do(ctx, ${call}, out, options)`]
  const about = comment(title, operation.summary, operation.description, `${operation.method} ${operation.path}`)
  return `${about}
func (r *${receiver}) ${title}(${all.join(", ")}) ${result} {
	return ${text}
}
`
}

const groups = Object.entries(
  Object.groupBy(
    operations.filter(({ name }) => name.length > 1),
    ({ name }) => name[0]
  )
)
const single = operations.filter(({ name }) => name.length === 1)
const descriptionOf = (name: string) => document.tags?.find((tag) => tag.name === name)?.description
const group = ([name, members = []]: (typeof groups)[number]): string =>
  [
    `${comment(pascal(name), descriptionOf(name) ?? name)}\ntype ${pascal(name)} struct{ requests *requests }\n`,
    ...members.flatMap((operation) => [
      ...(operation.query.length > 0 ? [queryType(operation)] : []),
      method(pascal(name), operation)
    ])
  ].join("\n")

const width = Math.max(...groups.map(([name]) => name.length))
const content = `// Code generated from openapi.json by generate.ts; DO NOT EDIT.

package posthorn

import (
	"context"
	"io"
	"net/url"
)

// Resources has every operation that takes a key.
type Resources struct {
	${"requests".padEnd(width)} *requests
${groups.map(([name]) => `\t${pascal(name).padEnd(width)} *${pascal(name)}\n`).join("")}}

func resourcesOf(r *requests) Resources {
	return Resources{r, ${groups.map(([name]) => `&${pascal(name)}{r}`).join(", ")}}
}

${[
  ...single.flatMap((operation) => [
    ...(operation.query.length > 0 ? [queryType(operation)] : []),
    method("Resources", operation)
  ]),
  ...groups.map(group)
].join("\n")}`

const file = new URL("resources.go", import.meta.url)
if (!argv.includes("--check")) writeFileSync(file, content)
else if (readFileSync(file, "utf8") !== content) {
  console.error("sdks/go/resources.go differs from openapi.json: run `npm run generate` and commit the result.")
  process.exitCode = 1
}
