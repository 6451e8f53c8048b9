/**
 * `node sdks/php/generate.ts` writes src/Resources.php from openapi.json, with the operations that the client for TypeScript
 * has. With `--check` it fails if the committed file differs.
 */
import { type Operation, pascal } from "../../packages/client/generate/Operations.ts"
import { descriptionOf, firstParagraphs, folded, groups, single, typeOf, write } from "../Generator.ts"

/** The first paragraph of each, on lines of about 110 characters. */
const comment = (indent: string, ...paragraphs: ReadonlyArray<string | undefined>): string => {
  const lines = firstParagraphs(paragraphs)
    .map((text) => folded(text.replaceAll("*/", "* /")))
    .join("\n\n")
    .split("\n")
    .map((line) => `${indent} * ${line}`.trimEnd())
  return `${indent}/**\n${lines.join("\n")}\n${indent} */\n`
}

const types = { integer: "int", number: "float", boolean: "bool", string: "string" }
const method = (operation: Operation): string => {
  const { name, parameters, body, query, keyed, item } = operation
  const template = operation.path.replaceAll(/\{\w+\}/g, "%s")
  const values = [`'${template}'`, ...parameters.map((parameter) => `$${parameter}`)].join(", ")
  const route = parameters.length === 0 ? `'${template}'` : `Requests::path(${values})`
  const required = query.filter((one) => one.required)
  const optional = query.filter((one) => !one.required)
  const all = [
    ...parameters.map((parameter) => `string $${parameter}`),
    ...required.map((one) => `${types[typeOf(one)]} $${one.name}`),
    ...(body === undefined
      ? []
      : [`array|object${body.required ? "" : "|null"} $body${body.required ? "" : " = null"}`]),
    ...optional.map((one) => `?${types[typeOf(one)]} $${one.name} = null`),
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

write("php/src/Resources.php", content)
