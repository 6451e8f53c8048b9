/**
 * Every text that a stranger can send over HTTP, with the request that carries it: the fields of bodies in the document,
 * including headers of emails, the parameters of paths and queries, and the public forms.
 */
import type { JsonSchema } from "effect"
import { type Operation, operations, schemas } from "./Operations.ts"

/** The values that make a request valid. */
export interface Requests {
  readonly url: string
  readonly headersOf: (operation: Operation) => Readonly<Record<string, string>>
  /** A valid body. */
  readonly sampleOf: (operation: Operation) => unknown
  /** With ids that exist where possible. */
  readonly pathOf: (operation: Operation) => string
}

export interface Request {
  readonly url: string
  readonly init: RequestInit
}

export interface TextField {
  readonly name: string
  /** The characters of its longest text. */
  readonly limit: number
  readonly request: (text: string) => Request
}

/** These would end the session that all other requests need. */
const endsSession = new Set(["auth.logout", "session.logoutAll", "users.remove", "users.changePassword"])

/** The server refuses request targets of more than 2,048 characters. */
const longestTarget = 1_900
/** Node.js accepts no longer ones. */
const longestAccepted = 12_000
/** Characters of all fields together that are longer than the document allows. */
const tooLong = 400_000

type Step = string | number

interface BodyField {
  readonly path: ReadonlyArray<Step>
  readonly max: number | undefined
}

const isSchema = (value: unknown): value is JsonSchema.JsonSchema => typeof value === "object" && value !== null

const nested = (schema: JsonSchema.JsonSchema, name: string): ReadonlyArray<JsonSchema.JsonSchema> => {
  const value = schema[name]
  return Array.isArray(value) ? value.filter(isSchema) : isSchema(value) ? [value] : []
}

/** The texts of a schema; for an array its first item, for an open object one name. */
const textsOf = (
  schema: JsonSchema.JsonSchema,
  path: ReadonlyArray<Step> = [],
  depth = 0
): ReadonlyArray<BodyField> => {
  if (depth > 8) return []
  const reference = schema["$ref"]
  if (typeof reference === "string") {
    const found = schemas[decodeURIComponent(reference.split("/").at(-1) ?? "")]
    return found === undefined ? [] : textsOf(found, path, depth + 1)
  }
  const further = (inner: JsonSchema.JsonSchema, ...step: ReadonlyArray<Step>) =>
    textsOf(inner, [...path, ...step], depth + 1)
  const own = schema["type"] === "string" && schema["enum"] === undefined
  const max = schema["maxLength"]
  const properties = isSchema(schema["properties"]) ? Object.entries(schema["properties"]) : []
  return [
    ...(own ? [{ path, max: typeof max === "number" ? max : undefined }] : []),
    ...["anyOf", "oneOf", "allOf"].flatMap((name) => nested(schema, name)).flatMap((inner) => further(inner)),
    ...properties.flatMap(([name, inner]) => (isSchema(inner) ? further(inner, name) : [])),
    ...nested(schema, "additionalProperties").flatMap((inner) => further(inner, "X-Hostile")),
    ...nested(schema, "items").flatMap((inner) => further(inner, 0))
  ]
}

/** The same value with a text at a path. Missing parents are created. */
const withText = (value: unknown, [step, ...rest]: ReadonlyArray<Step>, text: string): unknown => {
  if (step === undefined) return text
  if (typeof step === "number") {
    const items = Array.isArray(value) ? value : []
    return [withText(items[0], rest, text), ...items.slice(1)]
  }
  const object = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}
  return { ...object, [step]: withText(Object.entries(object).find(([name]) => name === step)?.[1], rest, text) }
}

/** Each request has its own address behind the proxy, so that limits by address refuse none. */
let callers = 0
const address = () => `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers++ & 255}`

/** Encoded for a request target, and cut. */
const encoded = (text: string, length: number) =>
  encodeURIComponent(text.slice(0, length).toWellFormed()).slice(0, length).replace(/%.?$/, "")

const fieldsOf = (target: Requests, operation: Operation, longest: number): ReadonlyArray<TextField> => {
  const { body, id, method, path, query } = operation
  const init = (text?: string): RequestInit => ({
    method,
    headers: {
      "x-forwarded-for": address(),
      ...target.headersOf(operation),
      ...(text !== undefined && { "content-type": "application/json" })
    },
    ...(text !== undefined && { body: text })
  })
  const sample = body === undefined ? undefined : target.sampleOf(operation)
  const whole = sample === undefined ? undefined : JSON.stringify(sample)
  const inBody = new Map((body === undefined ? [] : textsOf(body)).map((field) => [field.path.join("."), field]))
  const withBody = (json: unknown): Request => ({
    url: `${target.url}${target.pathOf(operation)}`,
    init: init(JSON.stringify(json))
  })
  const share = Math.floor(tooLong / Math.max(1, inBody.size))
  const bounded = [...inBody.values()].filter(({ max = longest }) => max < share)
  return [
    ...Array.from(inBody, ([name, { max = longest, path: steps }]) => ({
      name: `${id} ${name}`,
      limit: Math.min(longest, max),
      request: (text: string) => withBody(withText(sample, steps, text))
    })),
    // Only the check of their lengths may look at such texts, and it reports all of them.
    ...(bounded.length === 0
      ? []
      : [
          {
            name: `${id} all too long`,
            limit: share,
            request: (text: string) =>
              withBody(bounded.reduce((json, field) => withText(json, field.path, text), sample))
          }
        ]),
    ...query.map((name) => ({
      name: `${id} ?${name}`,
      limit: longestTarget,
      request: (text: string) => {
        const before = `${target.pathOf(operation)}?${name}=`
        return { url: `${target.url}${before}${encoded(text, longestTarget - before.length)}`, init: init(whole) }
      }
    })),
    ...Array.from(path.matchAll(/\{\w+\}/g), ([parameter]) => ({
      name: `${id} ${parameter}`,
      limit: longestTarget,
      request: (text: string) => {
        const filled = path.replace(parameter, encoded(text, longestTarget - path.length))
        return { url: `${target.url}${target.pathOf({ ...operation, path: filled })}`, init: init(whole) }
      }
    }))
  ]
}

/** Tokens and fields of the pages behind the links of an email, and a request target that is too long. */
const otherFields = ({ url }: Requests, longest: number): ReadonlyArray<TextField> => {
  const fromElsewhere = () => ({ "x-forwarded-for": address() })
  return [
    ...["unsubscribe", "subscribe", "manage"].flatMap((page) => [
      {
        name: `POST /${page} form`,
        limit: longest,
        request: (text: string) => ({
          url: `${url}/${page}/x`,
          init: {
            method: "POST",
            headers: { "content-type": "application/x-www-form-urlencoded", ...fromElsewhere() },
            body: text.toWellFormed()
          }
        })
      },
      {
        name: `GET /${page} token`,
        limit: longestTarget,
        request: (text: string) => ({
          url: `${url}/${page}/${encoded(text, longestTarget)}`,
          init: { headers: fromElsewhere() }
        })
      }
    ]),
    {
      name: "GET target too long",
      limit: longestAccepted,
      request: (text: string) => ({
        url: `${url}/${encoded(text, longestAccepted)}`,
        init: { headers: fromElsewhere() }
      })
    }
  ]
}

export const textFields = (requests: Requests, longest: number): ReadonlyArray<TextField> => [
  ...operations.filter(({ id }) => !endsSession.has(id)).flatMap((one) => fieldsOf(requests, one, longest)),
  ...otherFields(requests, longest)
]
