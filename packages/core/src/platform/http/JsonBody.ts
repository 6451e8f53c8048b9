/** Checks of a body before its schema: size, content type, nesting, text. */
import { CurrentProject } from "@posthorn/contract/platform/Auth"
import { InvalidJson, UnsupportedMediaType, ValidationError } from "@posthorn/contract/platform/Errors"
import { BodyLimit, JsonBody, PlainRefusal, TakesFile } from "@posthorn/contract/platform/Request"
import { Context, Effect, Layer, Option } from "effect"
import { HttpMethod, HttpServerRequest } from "effect/http"
import * as BodyMemoryLimit from "./BodyMemoryLimit.ts"
import { BodyReaders } from "./BodyReaders.ts"
import { bodyWithin, isIdentity, isJson } from "./BodyWithin.ts"
import * as ConcurrencyLimit from "./ConcurrencyLimit.ts"
import { excessOf, unstorableText } from "./JsonText.ts"
import { notJson } from "./Respond.ts"
import * as UnknownFields from "./UnknownFields.ts"

/** No endpoint accepts more values. Conditions have the most: 100 lists of 1,000 each. */
const most = { nesting: 100, values: 120_000 }

const isForm = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^multipart\/form-data\s*(?:;|$)/i.test(contentType)

/** Stateless between texts. */
const utf8 = new TextDecoder("utf-8", { fatal: true })
const decodeUtf8 = Option.liftThrowable((bytes: ArrayBuffer) => utf8.decode(bytes))
const unstorable = Option.liftThrowable(unstorableText)

export const layer: Layer.Layer<JsonBody, never, BodyReaders> = Layer.effect(
  JsonBody,
  Effect.map(BodyReaders, (readers) =>
    Effect.fnUntraced(function* (app, { endpoint, group }) {
      const given = yield* HttpServerRequest.HttpServerRequest
      if (!HttpMethod.hasBody(given.method)) return yield* app
      const annotations = Context.merge(group.annotations, endpoint.annotations)
      const maxFile = Context.get(annotations, TakesFile)
      const length = BodyMemoryLimit.declared(given.headers["content-length"])
      const caller = Option.match(yield* Effect.serviceOption(CurrentProject), {
        onNone: () => "",
        onSome: ({ id }) => id
      })
      if (maxFile !== undefined) {
        if (!isForm(given.headers["content-type"]) || !isIdentity(given.headers["content-encoding"])) {
          return yield* new UnsupportedMediaType()
        }
        yield* ConcurrencyLimit.outside(BodyMemoryLimit.reserveShare(caller, Math.min(length ?? maxFile, maxFile)))
        return yield* app
      }
      // HttpApi compares the exact content type, so every spelling of JSON is made the same.
      const request = given.modify({ headers: { ...given.headers, "content-type": "application/json" } })
      const limit = Context.get(annotations, BodyLimit)
      // Read here, under the limit. The request keeps the bytes for the decoder.
      const bytes = bodyWithin(request, limit)
      const body = yield* readers.read(
        Math.min(length ?? limit, limit),
        BodyMemoryLimit.read(caller, length, limit, bytes)
      )
      if (body.byteLength > 0) {
        if (!isJson(given.headers["content-type"]) || !isIdentity(given.headers["content-encoding"])) {
          return yield* new UnsupportedMediaType()
        }
        const text = decodeUtf8(body)
        const excess = excessOf(new Uint8Array(body), most)
        if (Option.isNone(text) || excess === "nesting") {
          return Context.get(annotations, PlainRefusal) !== undefined ? notJson : yield* new InvalidJson()
        }
        if (excess === "values") {
          return yield* ValidationError.one("", "too_big", `The body holds more than ${most.values} values.`)
        }
        // The decoder refuses text that does not parse.
        const faults = Option.getOrElse(unstorable(text.value), () => [])
        if (faults.length > 0) return yield* new ValidationError({ errors: faults.slice(0, 50) })
        const answered = Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
        return yield* UnknownFields.noticed(answered, request, endpoint, text.value)
      }
      return yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
    })
  )
)
