/** The parts of an OpenAPI 3.1 document that the documentation shows. */
import { nameOf } from "@posthorn/contract/service/examples/SchemaParts"
import { Schema } from "effect"

const Text = Schema.optionalKey(Schema.String)

const Reference = Schema.Struct({ $ref: Schema.String })
const orReference = <S extends Schema.Top>(schema: S) => Schema.Union([Reference, schema])

const Json = Schema.optionalKey(Schema.Json)
const Example = Schema.Struct({ value: Schema.Json })

const Content = Schema.Record(
  Schema.String,
  Schema.Struct({
    schema: Json,
    example: Json,
    examples: Schema.optionalKey(Schema.Record(Schema.String, orReference(Example)))
  })
)

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.String,
  required: Schema.optionalKey(Schema.Boolean),
  description: Text,
  schema: Schema.optionalKey(Schema.Json),
  example: Schema.optionalKey(Schema.Json)
})
export type Parameter = typeof Parameter.Type

const Response = Schema.Struct({ description: Text, content: Schema.optionalKey(Content) })
export type Response = typeof Response.Type

const Operation = Schema.Struct({
  operationId: Schema.String,
  summary: Text,
  description: Text,
  tags: Schema.optionalKey(Schema.Array(Schema.String)),
  security: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Json))),
  "x-posthorn-role": Schema.optionalKey(Schema.NullOr(Schema.String)),
  "x-posthorn-scope": Schema.optionalKey(Schema.Array(Schema.String)),
  parameters: Schema.optionalKey(Schema.Array(orReference(Parameter))),
  requestBody: Schema.optionalKey(Schema.Struct({ content: Content })),
  responses: Schema.Record(Schema.String, orReference(Response))
})
export type Operation = typeof Operation.Type

const methods = ["get", "post", "put", "patch", "delete"] as const

const PathItem = Schema.Struct({
  get: Schema.optionalKey(Operation),
  post: Schema.optionalKey(Operation),
  put: Schema.optionalKey(Operation),
  patch: Schema.optionalKey(Operation),
  delete: Schema.optionalKey(Operation)
})

export const OpenApiDocument = Schema.Struct({
  info: Schema.Struct({ title: Schema.String, version: Schema.String, description: Text }),
  tags: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String, description: Text }))),
  paths: Schema.Record(Schema.String, PathItem),
  webhooks: Schema.optionalKey(Schema.Record(Schema.String, PathItem)),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, Schema.Json),
    examples: Schema.optionalKey(Schema.Record(Schema.String, Example)),
    parameters: Schema.optionalKey(Schema.Record(Schema.String, Parameter)),
    responses: Schema.optionalKey(Schema.Record(Schema.String, Response))
  })
})
export type OpenApiDocument = typeof OpenApiDocument.Type

export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** In the order of the document. */
export const endpoints = ({ paths }: OpenApiDocument): ReadonlyArray<Endpoint> =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }]
    })
  )

/** The target of a reference, in the components section of its kind. */
export const resolve = <A extends object>(
  found: A | typeof Reference.Type,
  components: { readonly [name: string]: A } | undefined
): A | undefined => ("$ref" in found ? components?.[nameOf(found.$ref)] : found)
