/**
 * The data that the search uses: guides, endpoints, fields, parameters, webhook events, errors and schemas.
 */
import { catalogue } from "@posthorn/contract/platform/ErrorCatalogue"
import { get, nameOf } from "@posthorn/contract/service/examples/SchemaParts"
import { Predicate } from "effect"
import { addressOfOperation, groupsOf } from "./document/Groups.ts"
import { type OpenApiDocument, resolve } from "./document/OpenApiDocument.ts"
import { guides } from "./guides.generated.ts"
import { headingsOf } from "./markdown/Markdown.ts"

/** Address, title, parent, and more words to find it by. */
type Entry = readonly [address: string, title: string, about: string, words: string]

const namesIn = (schema: unknown, schemas: { readonly [name: string]: unknown }): ReadonlyArray<string> => {
  const reference = get(schema, "$ref")
  const target = typeof reference === "string" ? schemas[nameOf(reference)] : schema
  const properties = get(target, "properties")
  return Predicate.isObject(properties) ? Object.keys(properties) : []
}

/** A guide and its headings. The words of a guide are those of its text, without its code. */
const guideEntries = (): ReadonlyArray<Entry> =>
  guides.flatMap(({ name, title, about, text }) => {
    const words = text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/\s+/g, " ")
    const address = `/docs/guides/${name}`
    return [
      [address, title, "Guide", `${about} ${words.slice(0, 2_000)}`] as const,
      ...headingsOf(text).map((heading): Entry => [`${address}#${heading.id}`, heading.text, `Guide: ${title}`, ""])
    ]
  })

export const searchIndex = (document: OpenApiDocument): ReadonlyArray<Entry> => {
  const { components } = document
  const groups = groupsOf(document)
  const endpoints = groups.flatMap((group) =>
    group.members.map((member): Entry => {
      const { operationId, summary = operationId, description = "", parameters = [], requestBody } = member.operation
      const names = [
        ...parameters.map((each) => resolve(each, components.parameters)?.name ?? ""),
        ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => namesIn(schema, components.schemas))
      ]
      const words = `${operationId} ${names.join(" ")} ${description}`
      return [addressOfOperation(member), summary, `${member.method} ${member.path}`, words]
    })
  )
  const events = Object.entries(document.webhooks ?? {}).map(
    ([type, { post }]): Entry => [`/docs/webhooks#${type}`, type, "Webhook event", post?.description ?? ""]
  )
  const codes = Object.entries(catalogue).map(([row, entry]): Entry => {
    const code = "code" in entry ? entry.code : row
    return [`/docs/errors#${row}`, code, `Error ${entry.status}`, `${row} ${entry.when}`]
  })
  const named = Object.entries(components.schemas).map(([name, schema]): Entry => {
    const description = get(schema, "description")
    const words = `${namesIn(schema, components.schemas).join(" ")} ${typeof description === "string" ? description : ""}`
    return [`/docs/schemas#schema-${name}`, name, "Schema", words.slice(0, 600)]
  })
  return [
    ...guideEntries(),
    ...groups.map(({ name, title, description }): Entry => [`/docs/${name}`, title, "Group", description]),
    ...endpoints,
    ...events,
    ...codes,
    ...named
  ]
}
