/** Each text of a request has a maximum length, so that no pattern, copy or column meets an unbounded text. */
import { assert, describe, it } from "vitest"
import { document } from "./document.ts"

interface Shape {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly maxLength?: number
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: boolean | Shape
  readonly anyOf?: ReadonlyArray<Shape>
  readonly oneOf?: ReadonlyArray<Shape>
  readonly allOf?: ReadonlyArray<Shape>
}

const { paths, components }: Described = JSON.parse(JSON.stringify(document))

interface Described {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Shape>; readonly parameters: Record<string, Parameter> }
}
interface Operation {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Shape }> }
}
interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly schema: Shape
}

const last = (ref: string) => ref.split("/").at(-1) ?? ""

/** Files: the body limit of their endpoint is their bound. */
const isFile = ({ format }: Shape) => format === "binary"

const isBounded = (shape: Shape) =>
  shape.maxLength !== undefined || shape.enum !== undefined || shape.const !== undefined || isFile(shape)

const isText = ({ type }: Shape) => type === "string" || (Array.isArray(type) && type.includes("string"))

function* unbounded(shape: Shape, path: string, within: ReadonlySet<string> = new Set()): Generator<string> {
  if (shape.$ref !== undefined) {
    const name = last(shape.$ref)
    const named = components.schemas[name]
    if (named !== undefined && !within.has(name)) yield* unbounded(named, path, new Set([...within, name]))
    return
  }
  const parts = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])]
  if (isText(shape) && !isBounded(shape)) yield path
  for (const part of parts) yield* unbounded(part, path, within)
  for (const [field, part] of Object.entries(shape.properties ?? {})) yield* unbounded(part, `${path}.${field}`, within)
  if (shape.items !== undefined) yield* unbounded(shape.items, `${path}[]`, within)
  if (typeof shape.additionalProperties === "object") yield* unbounded(shape.additionalProperties, `${path}.*`, within)
}

const operations = Object.values(paths).flatMap((item) => Object.values(item))

describe("Every text of a request has a limit", () => {
  it("in its body", () => {
    const found = operations.flatMap(({ operationId, requestBody }) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => [...unbounded(schema, operationId)])
    )
    assert.deepStrictEqual(found, [])
  })

  it("in its query; paths and headers are bounded by the request line and by the server", () => {
    const found = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .map((given) => (given.$ref === undefined ? given : (components.parameters[last(given.$ref)] ?? given)))
        .filter((parameter) => parameter.in === "query")
        .flatMap(({ name, schema }) => [...unbounded(schema, `${operationId}?${name}`)])
    )
    assert.deepStrictEqual(found, [])
  })
})
