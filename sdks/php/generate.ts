/**
 * `node sdks/php/generate.ts` writes src/Resources.php from openapi.json, with the operations that the client for TypeScript
 * has. With `--check` it fails if the committed file differs.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { argv } from "node:process"
import type { OpenAPIObject, ParameterObject } from "openapi3-ts/oas31"
import { type Operation, operationsOf, pascal } from "../../packages/client/generate/Operations.ts"

const document: OpenAPIObject = JSON.parse(readFileSync(new URL("../../openapi/openapi.json", import.meta.url), "utf8"))
// A stream of events has no end; `live` is for the client in TypeScript.
const operations = operationsOf(document).filter(({ takesKey, events }) => takesKey && !events)

/** The first paragraph of each, on lines of about 110 characters. */
const comment = (indent: string, ...paragraphs: ReadonlyArray<string | undefined>): string => {
  const lines = paragraphs
    .flatMap((text) => text?.split("\n\n").slice(0, 1) ?? [])
    .map((text) =>
      text
        .replaceAll("*/", "* /")
        .replaceAll("\n", " ")
        .replaceAll(/(.{80,105}) /g, "$1\n")
    )
    .join("\n\n")
    .split("\n")
    .map((line) => `${indent} * ${line}`.trimEnd())
  return `${indent}/**\n${lines.join("\n")}\n${indent} */\n`
}

const types = { integer: "int", number: "float", boolean: "bool", string: "string" }
const typeOf = ({ schema = {} }: ParameterObject): string =>
  !("$ref" in schema) && (schema.type === "integer" || schema.type === "number" || schema.type === "boolean")
    ? types[schema.type]
    : "string"

const method = (operation: Operation): string => {
  const { name, parameters, body, query, keyed, item } = operation
  const template = operation.path.replaceAll(/\{\w+\}/g, "%s")
  const values = [`'${template}'`, ...parameters.map((parameter) => `$${parameter}`)].join(", ")
  const route = parameters.length === 0 ? `'${template}'` : `Requests::path(${values})`
  const required = query.filter((one) => one.required)
  const optional = query.filter((one) => !one.required)
  const all = [
    ...parameters.map((parameter) => `string $${parameter}`),
    ...required.map((one) => `${typeOf(one)} $${one.name}`),
    ...(body === undefined
      ? []
      : [`array|object${body.required ? "" : "|null"} $body${body.required ? "" : " = null"}`]),
    ...optional.map((one) => `?${typeOf(one)} $${one.name} = null`),
    ...(keyed ? ["?string $idempotencyKey = null"] : [])
  ]
  const asked = `[${query.map((one) => `'${one.name}' => $${one.name}`).join(", ")}]`
  const inputs = [
    ...(query.length > 0 ? [`query: ${asked}`] : []),
    ...(body === undefined ? [] : ["body: $body"]),
    ...(operation.publicKey ? ["public: true"] : []),
    ...(keyed ? ["keyed: true", "idempotencyKey: $idempotencyKey"] : []),
    ...(operation.form ? ["asForm: true"] : []),
    ...(operation.stream ? ["stream: true"] : [])
  ]
  const result =
    item === undefined
      ? `$this->requests->call(${[`'${operation.method}'`, route, ...inputs].join(", ")})`
      : `new Items($this->requests, '${operation.method}', ${route}, ${body === undefined ? asked : "(array) $body"})`
  const given = all.length === 0 ? "" : `\n        ${all.join(",\n        ")},\n    `
  return `${comment("    ", operation.summary, operation.description, `\`${operation.method} ${operation.path}\``)}    public function ${name.at(-1)}(${given}): ${item === undefined ? "mixed" : "Items"} {
        return ${result};
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

const constructor = `    public function __construct(private readonly Requests $requests)
    {
    }
`
const group = ([name, members = []]: (typeof groups)[number]): string =>
  `${comment("", descriptionOf(name) ?? name)}final class ${pascal(name)}
{
${[constructor, ...members.map(method)].join("\n")}}
`

const content = `<?php

// Generated from openapi.json by generate.ts; not to be edited.

declare(strict_types=1);

namespace Posthorn;

${groups.map(group).join("\n")}
/** Every operation that takes a key, as a method. */
class Resources
{
${groups.map(([name]) => `    public readonly ${pascal(name)} $${name};\n`).join("")}
    public function __construct(private readonly Requests $requests)
    {
${groups.map(([name]) => `        $this->${name} = new ${pascal(name)}($requests);\n`).join("")}    }

${single.map(method).join("\n")}}
`

const file = new URL("src/Resources.php", import.meta.url)
if (!argv.includes("--check")) writeFileSync(file, content)
else if (readFileSync(file, "utf8") !== content) {
  console.error("sdks/php/src/Resources.php differs from openapi.json: run `npm run generate` and commit the result.")
  process.exitCode = 1
}
