/** Reads a file from multipart/form-data, with the small fields beside it. */
import { type Fault, PayloadTooLarge, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, Stream } from "effect"
import type { Multipart } from "effect/http"

export interface Upload {
  readonly file: Uint8Array
  /** The name that the form gives. */
  readonly filename: string
  /** By name. Of a repeated name, the last value. */
  readonly fields: ReadonlyMap<string, string>
}

/** In bytes: for the file, and for everything else. */
interface Limits {
  readonly maxFile: number
  readonly maxFraming: number
  /** Names that the part with the file may have. Faults name the first. Default: `file`. */
  readonly names?: readonly [string, ...ReadonlyArray<string>]
}

/** A malformed form is a fault of the request. */
const failureOf = (error: Multipart.MultipartError, limitBytes: number) => {
  switch (error.reason._tag) {
    case "BodyTooLarge":
      return new PayloadTooLarge({ limitBytes })
    case "FieldTooLarge":
    case "TooManyParts":
      return ValidationError.one("", "too_big", "The form has too many or too large fields.")
    default:
      return ValidationError.one("", "custom", "The body is not complete multipart/form-data.")
  }
}

/**
 * Collects the parts as they arrive. A form that is too large is still read, but not stored: a sender that is
 * disconnected may never see the response.
 */
export const readUpload = Effect.fn("Upload.read")(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  { maxFile, maxFraming, names = ["file"] }: Limits
) {
  const files: Array<Pick<Upload, "file" | "filename">> = []
  const fields = new Map<string, string>()
  let framing = 0
  let isTooLarge = false

  /** The parser's own limit would include the headers of the file's part. */
  const read = Effect.fnUntraced(function* ({ content }: Multipart.File, limit: number) {
    let chunks: Array<Uint8Array> = []
    let length = 0
    yield* Stream.runForEach(content, (chunk) =>
      Effect.sync(() => {
        length += chunk.length
        if (length <= limit) chunks.push(chunk)
        else chunks = []
      })
    )
    isTooLarge ||= length > limit
    return concatenated(chunks)
  })

  yield* Stream.runForEach(parts, (part) => {
    if (part._tag === "File" && names.includes(part.key)) {
      const { name: filename } = part
      return Effect.map(read(part, files.length === 0 ? maxFile : 0), (file) => files.push({ file, filename }))
    }
    const size =
      part._tag === "Field"
        ? Effect.succeed(utf8.encode(part.value).length)
        : Effect.map(read(part, maxFraming), (bytes) => bytes.length)
    return Effect.map(size, (bytes) => {
      framing += bytes
      if (part._tag === "Field") fields.set(part.key, part.value)
    })
  }).pipe(Effect.catchTag("MultipartError", (error) => Effect.fail(failureOf(error, maxFile))))

  const [found, ...others] = files
  const refusal = (code: Fault["code"], message: string) => ValidationError.one(names[0], code, message)
  if (others.length > 0) return yield* refusal("custom", "The form has more than one file.")
  if (isTooLarge || framing > maxFraming) return yield* new PayloadTooLarge({ limitBytes: maxFile })
  if (found === undefined) return yield* refusal("required", `The form has no file part named '${names[0]}'.`)
  return { ...found, fields } satisfies Upload
})

const utf8 = new TextEncoder()

const concatenated = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
