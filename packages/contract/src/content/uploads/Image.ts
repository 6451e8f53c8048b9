/** An image for the body of a template. */
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import { described, maxFramingBytes, Page, PageQuery, Timestamp } from "../../platform/Primitives.ts"

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

const url = Schema.String.pipe(described("Public URL. The same image always has the same URL."))
const key = Schema.String.pipe(described("Project, and SHA-256 of the content with its extension."))
const size = Schema.Int.pipe(described("In bytes."))
const contentTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const

export const UploadedImage = Schema.Struct({
  url,
  key,
  filename: Schema.String.pipe(described("As given, without a path.")),
  contentType: Schema.Literals(contentTypes).pipe(
    described("Detected from the bytes; the type in the form is ignored.")
  ),
  size,
  width: Schema.Int.pipe(described("In pixels.")),
  height: Schema.Int.pipe(described("In pixels."))
})
  .annotate({ identifier: "UploadedImage", description: "A stored image." })
  .pipe(HttpApiSchema.status(201))
export type UploadedImage = typeof UploadedImage.Type

export const StoredImage = Schema.Struct({
  url,
  key,
  contentType: Schema.Literals(contentTypes),
  size,
  createdAt: Timestamp
}).annotate({ identifier: "StoredImage", description: "An image of the project." })
export type StoredImage = typeof StoredImage.Type

export const ImageQuery = Schema.Struct(PageQuery)
export type ImageQuery = typeof ImageQuery.Type

export const ImagePage = Page("ImagePage", StoredImage)
export type ImagePage = typeof ImagePage.Type

/** The part of a key after the project. Any text passes here. The endpoint answers 404 for one that names no image. */
export const ImageName = Schema.String.pipe(described("The part of the key after the slash."))

/** The bytes are not an accepted image, or their header cannot be read. The declared media type does not count. */
export class NotAnImage extends Schema.TaggedError<NotAnImage>()("UNSUPPORTED_MEDIA_TYPE", {}) {
  override readonly message =
    "The file is not a JPEG, PNG, GIF or WebP with a readable header and at most 10,000 pixels on each side."
}
