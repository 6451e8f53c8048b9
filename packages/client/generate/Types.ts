/** Generates types.generated.ts: every schema of the document, and the query of every list. */
import type { OpenAPIObject, SchemaObject } from "openapi3-ts/oas31"
import { comment } from "./Comment.ts"
import { type Operation, pascal } from "./Operations.ts"
import { typeName, typeOf } from "./Schema.ts"

export const queryName = ({ name }: Operation): string => pascal(...name, "query")

const declaration = (name: string, schema: SchemaObject): string => {
  const type = typeOf(schema)
  const doc = comment(schema.description)
  const isOneObject = schema.properties !== undefined
  return isOneObject ? `${doc}export interface ${name} ${type}\n` : `${doc}export type ${name} = ${type}\n`
}

const query = (operation: Operation): string => {
  const properties = Object.fromEntries(
    operation.query.map(({ name, description, schema = {} }) => [
      name,
      { ...schema, ...(description && { description }) }
    ])
  )
  const required = operation.query.filter((parameter) => parameter.required === true).map(({ name }) => name)
  const description = `Query of \`${operation.method} ${operation.path}\`.`
  return declaration(queryName(operation), { type: "object", properties, required, description })
}

/** The bodies in the section `webhooks` of the document. */
const webhookEvent = ({ webhooks = {} }: OpenAPIObject): string => {
  const bodies = Object.values(webhooks).map((item) => {
    const body = "post" in item ? item.post?.requestBody : undefined
    const schema = body !== undefined && "content" in body ? body.content["application/json"]?.schema : undefined
    return schema === undefined ? "never" : typeOf(schema)
  })
  return `/** The body of a webhook event; \`type\` names the event. */\nexport type WebhookEvent = ${bodies.join(" | ")}\n`
}

export const typesText = (document: OpenAPIObject, operations: ReadonlyArray<Operation>): string =>
  [
    ...Object.entries(document.components?.schemas ?? {}).map(([name, schema]) =>
      declaration(typeName(name), { ...schema })
    ),
    `/** Every code of an error of the service. */\nexport type ErrorCode = ErrorEnvelope["error"]["code"]\n`,
    webhookEvent(document),
    ...operations.filter((operation) => operation.query.length > 0).map(query)
  ].join("\n")
