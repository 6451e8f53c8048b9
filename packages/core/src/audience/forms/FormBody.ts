/** Reads the body of a submission: a form of either encoding, or a JSON object. */
import { InvalidJson, UnsupportedMediaType, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, Option, Predicate } from "effect"
import { HttpServerRequest } from "effect/http"
import type { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { bodyWithin, isJson, jsonIn } from "../../platform/http/BodyWithin.ts"
import type { GivenFields } from "./FormValues.ts"

/** Bytes. */
const limit = 64 * 1024
/** More than any form has. */
const most = { nesting: 20, values: 2_000 }

const formTypes = /^(?:application\/x-www-form-urlencoded\s*(?:;|$)|multipart\/form-data\s*;)/i

const longestType = 300

/** The kind of a body by its content type, a form if it has none. */
const kindOf = (contentType: string | undefined): "form" | "json" | undefined => {
  if (contentType === undefined) return "form"
  if (contentType.length > longestType) return undefined
  const type = contentType.trim()
  return isJson(type) ? "json" : formTypes.test(type) ? "form" : undefined
}

/** Whether the request has JSON, so that its answer is JSON too. */
export const isJsonRequest = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  kindOf(headers["content-type"]) === "json"

/** A list counts as several values, as a form has them. */
const ofJson = (object: { readonly [key: PropertyKey]: unknown }): GivenFields => ({
  isJson: true,
  all: (name) => {
    const value = Object.hasOwn(object, name) ? object[name] : undefined
    return value === undefined ? [] : name === "topics" && Array.isArray(value) ? value : [value]
  }
})

const ofForm = (data: FormData): GivenFields => ({
  isJson: false,
  all: (name) => data.getAll(name).filter(Predicate.isString)
})

const nothing: GivenFields = { isJson: false, all: () => [] }

export const readBody = Effect.fnUntraced(function* (readers: BodyReaders["Service"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { headers } = request
  const kind = kindOf(headers["content-type"])
  const encoding = headers["content-encoding"]
  if (kind === undefined || (encoding !== undefined && encoding !== "identity")) {
    return yield* new UnsupportedMediaType()
  }
  const bytes = bodyWithin(request, limit)
  const body = yield* readers.read(limit, bytes)
  if (kind === "form") {
    const contentType = headers["content-type"] ?? "application/x-www-form-urlencoded"
    // A form that cannot be read has no values, so each required field is a fault.
    const data = yield* Effect.option(
      Effect.tryPromise(() => new Response(body, { headers: { "content-type": contentType } }).formData())
    )
    return Option.match(data, { onNone: () => nothing, onSome: ofForm })
  }
  const json = jsonIn(new Uint8Array(body), most)
  if (Option.isNone(json)) return yield* new InvalidJson()
  const { value } = json.value
  if (!Predicate.isObject(value)) return yield* ValidationError.one("", "invalid_type", "Expected an object.")
  return ofJson(value)
})
