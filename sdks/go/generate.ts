/**
 * `node sdks/go/generate.ts` writes resources.go from openapi.json, with the operations that the client for TypeScript has.
 * With `--check` it fails if the committed file differs.
 */
import { type Operation, pascal } from "../../packages/client/generate/Operations.ts"
import { descriptionOf, firstParagraphs, folded, groups, single, typeOf, write } from "../Generator.ts"

/** The first paragraph of each, on lines of about 110 characters. */
const comment = (name: string, ...paragraphs: ReadonlyArray<string | undefined>): string =>
  firstParagraphs(paragraphs)
    .map((text, index) => folded(index === 0 ? `${name}: ${text}` : text))
    .join("\n\n")
    .split("\n")
    .map((line) => `// ${line}`.trimEnd())
    .join("\n")

const setters = { integer: "setInt", number: "setFloat", boolean: "setBool", string: "setString" }
const types = { integer: "int", number: "float64", boolean: "*bool", string: "string" }
const queryName = ({ name }: Operation) => `${pascal(...name)}Query`

/** Laid out as gofmt does. */
const queryType = (operation: Operation): string => {
  const width = Math.max(...operation.query.map(({ name }) => name.length))
  const fields = operation.query.map((one) => `\t${pascal(one.name).padEnd(width)} ${types[typeOf(one)]}\n`)
  const sets = operation.query.map((one) => `\t${setters[typeOf(one)]}(values, "${one.name}", q.${pascal(one.name)})\n`)
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

write("go/resources.go", content)
