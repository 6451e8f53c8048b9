/**
 * `node sdks/python/generate.ts` writes posthorn/_resources.py from openapi.json, with the operations that the client for
 * TypeScript has. With `--check` it fails if the committed file differs.
 */
import type { ParameterObject } from "openapi3-ts/oas31"
import { type Operation, pascal } from "../../packages/client/generate/Operations.ts"
import { descriptionOf, firstParagraphs, folded, groups, single, typeOf, write } from "../Generator.ts"

const keywords = new Set([
  "from",
  "import",
  "global",
  "pass",
  "class",
  "def",
  "del",
  "in",
  "is",
  "not",
  "or",
  "and",
  "with"
])
const snake = (name: string): string => {
  const text = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return keywords.has(text) ? `${text}_` : text
}

const indented = (text: string, depth: number): string => text.replaceAll(/^(?=.)/gm, "    ".repeat(depth))

/** The first paragraph of each, on lines of at most 110 characters. */
const docstring = (...paragraphs: ReadonlyArray<string | undefined>): string => {
  const escaped = paragraphs.map((text) => text?.replaceAll("\\", "\\\\").replaceAll('"""', "'''"))
  const lines = firstParagraphs(escaped)
    .filter((text) => text !== "")
    .map(folded)
  return `"""${lines.join("\n\n")}${lines.length > 1 ? "\n" : ""}"""`
}

const types = { integer: "int", number: "float", boolean: "bool", string: "str" }
const annotationOf = (parameter: ParameterObject): string => {
  const { schema = {} } = parameter
  return !("$ref" in schema) && schema.enum?.every((value) => typeof value === "string")
    ? `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(", ")}]`
    : types[typeOf(parameter)]
}

const argument = (parameter: ParameterObject): string =>
  parameter.required
    ? `${snake(parameter.name)}: ${annotationOf(parameter)}`
    : `${snake(parameter.name)}: ${annotationOf(parameter)} | None = None`

const method = (operation: Operation): string => {
  const { name, parameters, body, query, keyed, item } = operation
  const first = ["self", ...parameters.map((parameter) => `${snake(parameter)}: str`)]
  const given = body === undefined ? [] : [`body: Any${body.required ? "" : " = None"}`]
  const sorted = query.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
  const named = [...sorted.map(argument), ...(keyed ? ["idempotency_key: str | None = None"] : [])]
  const all = [...first, ...given, ...(named.length === 0 ? [] : ["*", ...named])]
  const template = operation.path.replaceAll(/\{\w+\}/g, "{}")
  const route =
    parameters.length === 0
      ? JSON.stringify(template)
      : `path(${[JSON.stringify(template), ...parameters.map(snake)].join(", ")})`
  const asked = `{${query.map((one) => `"${one.name}": ${snake(one.name)}`).join(", ")}}`
  const text = docstring(operation.summary, operation.description, `\`${operation.method} ${operation.path}\``)
  const head = `def ${snake(name.at(-1) ?? "")}(\n    ${all.join(",\n    ")},\n) -> ${item === undefined ? "Any" : "Items[Any]"}:`
  const inputs =
    item === undefined
      ? [
          ...(query.length > 0 ? [`query=${asked}`] : []),
          ...(body === undefined ? [] : ["body=body"]),
          ...(operation.publicKey ? ["public=True"] : []),
          ...(keyed ? ["keyed=True", "idempotency_key=idempotency_key"] : []),
          ...(operation.form ? ["as_form=True"] : []),
          ...(operation.stream ? ["stream=True"] : [])
        ]
      : []
  const result =
    item === undefined
      ? `self._requests.call(${[`"${operation.method}"`, route, ...inputs].join(", ")})`
      : `Items(self._requests, "${operation.method}", ${route}, ${body === undefined ? asked : "body or {}"})`
  return `${head}\n${indented(text, 1)}\n    return ${result}\n`
}

const start = `def __init__(self, requests: Requests) -> None:\n    self._requests = requests\n`
const classOf = (name: string, description: string | undefined, parts: ReadonlyArray<string>): string =>
  `class ${name}:\n${indented([docstring(description ?? name), "", ...parts].join("\n"), 1)}`

const fields = groups.map(([name]) => `    self.${snake(name)} = ${pascal(name)}(requests)\n`).join("")

const content = `# Generated from openapi.json by generate.ts; not to be edited.
from __future__ import annotations

from typing import Any, Literal

from ._requests import Items, Requests, path


${[
  ...groups.map(([name, members = []]) => classOf(pascal(name), descriptionOf(name), [start, ...members.map(method)])),
  classOf("Resources", "Every operation that takes a key, as a method.", [`${start}${fields}`, ...single.map(method)])
].join("\n\n")}`

write("python/posthorn/_resources.py", content)
