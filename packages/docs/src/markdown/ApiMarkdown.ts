/** The pages about the API as Markdown, for programs and language models. */
import { catalogue } from "@posthorn/contract/platform/ErrorCatalogue"
import { get, listAt, nameOf, type Schemas } from "@posthorn/contract/service/examples/SchemaParts"
import { Predicate } from "effect"
import type { Group } from "../document/Groups.ts"
import type { Endpoint, OpenApiDocument, Parameter } from "../document/OpenApiDocument.ts"
import { access, answersOf, codeOf, parametersOf, rowsOf, titleOf } from "../pages/OperationView.ts"
import { samplesOf } from "../samples/Samples.ts"
import { answerOf } from "../samples/SampleView.ts"

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const json = (value: unknown): string => fence("json", JSON.stringify(value, null, 2))

/** Text on one line of a list. */
const oneLine = (text: unknown): string =>
  typeof text === "string" ? (text.split("\n\n|")[0]?.replaceAll(/\s+/g, " ") ?? "") : ""

/** The type of a schema in a few words. */
const kind = (schema: unknown): string => {
  const reference = get(schema, "$ref")
  if (typeof reference === "string") return `[${nameOf(reference)}](/docs/schemas.md)`
  const values = listAt(schema, "enum")
  if (values.length > 0) return values.map((value) => `\`${JSON.stringify(value)}\``).join(" or ")
  const choices = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf"), ...listAt(schema, "allOf")]
  if (choices.length > 0) return choices.map(kind).join(" or ")
  const type = get(schema, "type")
  const items = get(schema, "items")
  if (type === "array" && items !== undefined) return `array of ${kind(items)}`
  const format = get(schema, "format")
  const name = typeof type === "string" ? type : Array.isArray(type) ? type.join(" or ") : "any value"
  return typeof format === "string" ? `${name} (${format})` : name
}

const target = (schema: unknown, schemas: Schemas): unknown => {
  const reference = get(schema, "$ref")
  return typeof reference === "string" ? schemas[nameOf(reference)] : schema
}

/** The fields of an object; of each of its forms if it has several. */
const fields = (schema: unknown, schemas: Schemas): string => {
  const found = target(schema, schemas)
  const properties = get(found, "properties")
  if (Predicate.isObject(properties)) {
    const required = listAt(found, "required")
    return Object.entries(properties)
      .map(([name, value]) => {
        const about = oneLine(get(value, "description"))
        return `- \`${name}\`: ${kind(value)}${required.includes(name) ? ", required" : ""}${about === "" ? "" : `. ${about}`}`
      })
      .join("\n")
  }
  const forms = [...listAt(found, "oneOf"), ...listAt(found, "anyOf")].map((form) => fields(form, schemas))
  return forms.filter((form) => form !== "").join("\n\nor\n\n")
}

const parameters = (title: string, given: ReadonlyArray<Parameter>): ReadonlyArray<string> =>
  given.length === 0
    ? []
    : [
        `### ${title}`,
        given
          .map(
            ({ name, required, description, schema }) =>
              `- \`${name}\`: ${kind(schema)}${required === true ? ", required" : ""}${description === undefined ? "" : `. ${oneLine(description)}`}`
          )
          .join("\n")
      ]

const accessText = (endpoint: Endpoint): ReadonlyArray<string> => {
  const { takes, role, scopes } = access(endpoint.operation)
  if (takes.length === 0) return []
  return [
    [
      `Takes: ${takes.join(", or ")}.`,
      ...(role === undefined ? [] : [`Role: ${role} or higher.`]),
      ...(scopes.length === 0 ? [] : [`Scope: ${scopes.map((scope) => `\`${scope}\``).join(" or ")}.`])
    ].join(" ")
  ]
}

const operation = (endpoint: Endpoint, document: OpenApiDocument): string => {
  const { schemas } = document.components
  const { method, path } = endpoint
  const { description = "", requestBody } = endpoint.operation
  const of = (place: string) => parametersOf(endpoint, document).filter((parameter) => parameter.in === place)
  const { curl, typescript, cli } = samplesOf(endpoint, document)
  const { status, type, text } = answerOf(endpoint, document)
  const bodies = Object.entries(requestBody?.content ?? {}).flatMap(([media, { schema }]) => [
    `### Body (${media})`,
    fields(schema, schemas)
  ])
  const errors = answersOf(endpoint, document).flatMap(([code, found]) =>
    rowsOf(found).map((row) => `- ${code} [${codeOf(row)}](/docs/errors.md): ${catalogue[row].when}`)
  )
  return [
    `## ${titleOf(endpoint)}`,
    `\`${method} ${path}\` (\`${endpoint.operation.operationId}\`)`,
    description,
    ...accessText(endpoint),
    ...parameters("In the path", of("path")),
    ...parameters("In the query", of("query")),
    ...bodies.filter((part) => part !== ""),
    "### Request",
    fence("sh", curl),
    fence("ts", typescript),
    fence("sh", cli),
    `### Answer ${status}`,
    text === undefined ? "No content." : fence(type === "application/json" ? "json" : "", text),
    "### Errors",
    errors.join("\n")
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

export const groupMarkdown = ({ title, description, members, document }: Group): string =>
  `${[`# ${title}`, description, ...members.map((member) => operation(member, document))].join("\n\n")}\n`

export const webhooksMarkdown = ({ webhooks = {}, components }: OpenApiDocument): string =>
  `${[
    "# What your server gets",
    ...Object.entries(webhooks).flatMap(([type, { post }]) => {
      const media = post?.requestBody?.content["application/json"]
      return [`## ${type}`, post?.description ?? "", fields(media?.schema, components.schemas), json(media?.example)]
    })
  ].join("\n\n")}\n`

export const eventsMarkdown = ({ webhooks = {} }: OpenApiDocument): string =>
  `${[
    "# Events of the service",
    Object.entries(webhooks)
      .filter(([type]) => type !== "event.tracked" && type !== "webhook.test")
      .map(([type, { post }]) => `- \`${type}\`: ${oneLine(post?.description)}`)
      .join("\n")
  ].join("\n\n")}\n`

export const errorsMarkdown = ({ components }: OpenApiDocument): string => {
  const description = get(components.schemas["Error"], "properties")
  const details = get(get(get(get(description, "error"), "properties"), "details"), "description")
  const rows = Object.entries(catalogue).map(([row, entry]) => {
    const code = "code" in entry ? entry.code : row
    return `## ${code} (${entry.status})\n\n${entry.when}\n\nWhat to do: ${entry.suggestion}`
  })
  return `${["# Errors", "Every error has one envelope. Decide by `error.code`.", ...rows, "## Reasons of a conflict", String(details)].join("\n\n")}\n`
}

export const schemasMarkdown = ({ components }: OpenApiDocument): string =>
  `${[
    "# Schemas",
    ...Object.entries(components.schemas).map(([name, schema]) =>
      [`## ${name}`, oneLine(get(schema, "description")), fields(schema, components.schemas) || kind(schema)]
        .filter((part) => part !== "")
        .join("\n\n")
    )
  ].join("\n\n")}\n`
