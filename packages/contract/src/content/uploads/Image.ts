/** An image for the body of a template. */
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import { described, maxFramingBytes } from "../../platform/Primitives.ts"

/** In bytes. */
export const maxImageBytes = 10 * 1024 * 1024

export const ImageUpload = Schema.Struct({
  image: Multipart.PersistedFileSchema.pipe(
    Schema.annotateEncoded({
      description: "A JPEG, PNG, GIF or WebP, at most 10 MB. The field may also be named `file`."
    })
  )
}).pipe(
  HttpApiSchema.asMultipartStream({
    maxParts: 20,
    maxFieldSize: maxFramingBytes,
    // A file that is too large is still read, up to a limit, so that the sender receives the answer.
    maxTotalSize: 2 * maxImageBytes
  })
)

export const UploadedImage = Schema.Struct({
  url: Schema.String.pipe(described("Public URL. The same image always has the same URL.")),
  key: Schema.String.pipe(described("Project, and SHA-256 of the content with its extension.")),
  filename: Schema.String.pipe(described("As given, without a path.")),
  contentType: Schema.Literals(["image/jpeg", "image/png", "image/gif", "image/webp"]).pipe(
    described("Detected from the bytes; the type in the form is ignored.")
  ),
  size: Schema.Int.pipe(described("In bytes.")),
  width: Schema.Int.pipe(described("In pixels.")),
  height: Schema.Int.pipe(described("In pixels."))
})
  .annotate({ identifier: "UploadedImage", description: "A stored image." })
  .pipe(HttpApiSchema.status(201))
export type UploadedImage = typeof UploadedImage.Type

/** The bytes are not an accepted image, or their header cannot be read. The declared media type does not count. */
export class NotAnImage extends Schema.TaggedError<NotAnImage>()("UNSUPPORTED_MEDIA_TYPE", {}) {
  override readonly message =
    "The file is not a JPEG, PNG, GIF or WebP with a readable header and at most 10,000 pixels on each side."
}
