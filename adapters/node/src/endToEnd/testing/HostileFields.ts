/**
 * Fills every text that a stranger can send over HTTP with hostile shapes of n and 2n characters: the fields of bodies
 * in the document, including headers of emails, the parameters of paths and queries, and the public forms.
 */
import { type HostileShape, hostileShapes } from "@posthorn/core/testing/HostileText"
import type { JsonSchema } from "effect"
import { type Operation, operations, schemas } from "./Operations.ts"

/** The server and the values that make a request valid. */
export interface Target {
  readonly url: string
  readonly headersOf: (operation: Operation) => Readonly<Record<string, string>>
  /** A valid body. */
  readonly sampleOf: (operation: Operation) => unknown
  /** With ids that exist where possible. */
  readonly pathOf: (operation: Operation) => string
}

export interface Options {
  /** Shapes of each field; neighbouring fields get different ones. Infinity tries all. */
  readonly shapes: number
  /** Characters of a field without its own limit. */
  readonly longest: number
  /** Milliseconds that the event loop may be blocked. */
  readonly mostStanding: number
  /** Milliseconds below which an answer proves nothing. */
  readonly quick: number
  /** Which fields are tried; all unless it is given. */
  readonly fields?: (field: string) => boolean
  /** Which fields and shapes are tried, each with all its shapes; all unless it is given. */
  readonly only?: (field: string, shape: string) => boolean
  /** Called after each field. */
  readonly onField?: (progress: { readonly done: number; readonly fields: number; readonly findings: number }) => void
}

export interface Tally {
  readonly fields: number
  readonly requests: number
  /** The number of answers with each status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly findings: ReadonlyArray<string>
}

/** These would end the session that all other requests need. */
const endsSession = new Set(["auth.logout", "session.logoutAll", "users.remove", "users.changePassword"])

/** Texts that most parsers read: every shape is tried on them, however few the others get. */
const always = new Set([
  "send body",
  "send subject",
  "send to",
  "send headers.X-Hostile",
  "send from",
  "send attachments.0.content",
  "send attachments.0.contentType",
  "templates.create body",
  "partials.create body",
  "contacts.upsert email",
  "domains.add domain"
])

const growth = 3.2
/** The fastest of these counts. What still looks like a finding is measured again, since other work slows single ones. */
const tries = { least: 3, most: 9 }
/** Node.js accepts no longer request target and no longer headers. */
const longestTarget = 12_000

type Step = string | number

interface TextField {
  readonly name: string
  readonly limit: number
  readonly request: (text: string) => { readonly url: string; readonly init: RequestInit }
}

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

const fieldsOf = (target: Target, operation: Operation, longest: number): ReadonlyArray<TextField> => {
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
  const known = new Set<string>()
  const inBody = body === undefined ? [] : textsOf(body)
  return [
    ...inBody.flatMap(({ max, path: steps }) => {
      const name = steps.join(".")
      if (known.has(name)) return []
      known.add(name)
      const limit = Math.min(longest, max !== undefined && max > 10_000 ? max : longest)
      const request = (text: string) => ({
        url: `${target.url}${target.pathOf(operation)}`,
        init: init(JSON.stringify(withText(sample, steps, text)))
      })
      return [{ name: `${id} ${name}`, limit, request }]
    }),
    ...query.map((name) => ({
      name: `${id} ?${name}`,
      limit: longestTarget / 3,
      request: (text: string) => ({
        url: `${target.url}${target.pathOf(operation)}?${name}=${encodeURIComponent(text.toWellFormed())}`,
        init: init(whole)
      })
    })),
    ...[...path.matchAll(/\{\w+\}/g)].map(([parameter]) => ({
      name: `${id} ${parameter}`,
      limit: longestTarget / 3,
      request: (text: string) => ({
        url: `${target.url}${path.replace(parameter, encodeURIComponent(text.toWellFormed())).replaceAll(/\{\w+\}/g, "x")}`,
        init: init(whole)
      })
    }))
  ]
}

/** Tokens and fields of the pages behind the links of an email. */
const formFields = ({ url }: Target, longest: number): ReadonlyArray<TextField> =>
  ["unsubscribe", "subscribe", "manage"].flatMap((page) => [
    {
      name: `POST /${page} form`,
      limit: longest,
      request: (text: string) => ({
        url: `${url}/${page}/x`,
        init: {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address() },
          body: text.toWellFormed()
        }
      })
    },
    {
      name: `GET /${page} token`,
      limit: longestTarget / 3,
      request: (text: string) => ({
        url: `${url}/${page}/${encodeURIComponent(text.toWellFormed())}`,
        init: { headers: { "x-forwarded-for": address() } }
      })
    }
  ])

const patience = 30_000

const ask = async ({ url, init }: ReturnType<TextField["request"]>, statuses: Record<string, number> = {}) => {
  const before = performance.now()
  const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(patience) })
  await response.arrayBuffer()
  statuses[response.status] = (statuses[response.status] ?? 0) + 1
  return performance.now() - before
}

/** How long the slowest other request waits while this request is processed. */
const standing = async (target: Target, request: ReturnType<TextField["request"]>) => {
  let isOver = false
  let most = 0
  const others = async () => {
    while (!isOver) most = Math.max(most, await ask({ url: `${target.url}/health`, init: {} }))
  }
  const watching = others()
  const taken = await ask(request)
  isOver = true
  await watching
  return { taken, most }
}

const judged = async (
  target: Target,
  field: TextField,
  shape: HostileShape,
  { mostStanding, quick }: Options,
  statuses: Record<string, number>
) => {
  const whole = () => field.request(shape.at(field.limit))
  if ((await ask(whole(), statuses)) < quick) return undefined
  const half = () => field.request(shape.at(field.limit / 2))
  let one = Number.POSITIVE_INFINITY
  let two = Number.POSITIVE_INFINITY
  let stood = Number.POSITIVE_INFINITY
  const finding = () => {
    const about = `${field.name}, ${shape.name}: ${one.toFixed(0)} ms for ${field.limit / 2} characters, ${two.toFixed(0)} ms for ${field.limit}`
    if (two > quick && two > growth * one) return `${about}: faster than linear`
    return stood > mostStanding ? `${about}: others waited ${stood.toFixed(0)} ms` : undefined
  }
  for (let n = 0; n < tries.least || (n < tries.most && finding() !== undefined); n++) {
    // Both beside the same other requests, which take time of their own.
    one = Math.min(one, (await standing(target, half())).taken)
    const { most, taken } = await standing(target, whole())
    two = Math.min(two, taken)
    stood = Math.min(stood, most)
  }
  return finding()
}

export const hostileFields = async (target: Target, options: Options): Promise<Tally> => {
  const fields = [
    ...operations.filter(({ id }) => !endsSession.has(id)).flatMap((one) => fieldsOf(target, one, options.longest)),
    ...formFields(target, options.longest)
  ].filter(({ name }) => options.fields?.(name) ?? true)
  const findings: Array<string> = []
  const statuses: Record<string, number> = {}
  let requests = 0
  const { only } = options
  for (const [position, field] of fields.entries()) {
    const count =
      always.has(field.name) || only !== undefined
        ? hostileShapes.length
        : Math.min(options.shapes, hostileShapes.length)
    for (let n = 0; n < count; n++) {
      const shape = hostileShapes[(position * count + n) % hostileShapes.length]
      if (shape === undefined || only?.(field.name, shape.name) === false) continue
      requests++
      const finding = await judged(target, field, shape, options, statuses).catch(
        (error: unknown) => `${field.name}, ${shape.name}: ${error}`
      )
      if (finding !== undefined) findings.push(finding)
    }
    options.onField?.({ done: position + 1, fields: fields.length, findings: findings.length })
  }
  return { fields: fields.length, requests, statuses, findings }
}
