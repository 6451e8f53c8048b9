/** Handlers of UploadsApi, and the public route `GET /uploads/{projectId}/{name}`. */
import { Api } from "@posthorn/contract/Api"
import { maxImageBytes } from "@posthorn/contract/content/uploads/Image"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import { envelope, ResourceNotFound, ServiceUnavailable, ValidationError } from "@posthorn/contract/platform/Errors"
import { maxFramingBytes } from "@posthorn/contract/platform/Primitives"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer, Option, Schema, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiGroup } from "effect/http-api"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { group } from "../../platform/http/RequestContext.ts"
import { respond } from "../../platform/http/Respond.ts"
import { inContext } from "../../platform/http/Routes.ts"
import { readUpload } from "../../platform/http/Upload.ts"
import { Images } from "./Images.ts"

const limits = { maxFile: maxImageBytes, maxFraming: maxFramingBytes, names: ["image", "file"] } as const

const api: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "uploads">,
  never,
  BodyReaders | Images | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "uploads",
  Effect.fnUntraced(function* (handlers) {
    const images = yield* Images
    const readers = yield* BodyReaders
    return handlers.handleAll({
      image: Effect.fnUntraced(function* ({ payload }) {
        const { id } = yield* CurrentProject
        const { file: bytes, filename } = yield* readers.read(maxImageBytes, readUpload(payload, limits))
        if (bytes.length === 0) return yield* ValidationError.one("image", "custom", "The file is empty.")
        return yield* images.upload(id, { bytes, filename })
      }),
      images: ({ query }) => CurrentProject.use(({ id }) => images.list(id, query)),
      removeImage: ({ params }) => CurrentProject.use(({ id }) => images.delete(id, params.name))
    })
  })
)

export { api as layer }

/** The headers prevent scripts in a file from running. A file never changes under its name. */
const headers = {
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "public, max-age=31536000, immutable"
}

const encodeNotFound = Schema.encodeEffect(envelope(ResourceNotFound))
const encodeUnavailable = Schema.encodeEffect(envelope(ServiceUnavailable))

/** The public routes. */
export const routes: Layer.Layer<never, never, HttpRouter.HttpRouter | Images> = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const images = yield* Images
    const here = yield* inContext

    /** A HEAD request does not fetch the content. */
    const head = (project: string, name: string) =>
      Effect.map(
        images.look(project, name),
        Option.map((image) => ({ ...image, content: Stream.empty }))
      )

    const serve = Effect.gen(function* () {
      const { project = "", name = "" } = yield* HttpRouter.params
      const { method } = yield* HttpServerRequest.HttpServerRequest
      const found = yield* method === "HEAD" ? head(project, name) : images.find(project, name)
      if (Option.isNone(found)) {
        const missing = new ResourceNotFound({ resource: "image", id: name.slice(0, 100) })
        return respond(yield* Effect.orDie(encodeNotFound(missing)))
      }
      const { content, contentType, size } = found.value
      return HttpServerResponse.stream(content, {
        contentType,
        headers,
        ...(size !== undefined && { contentLength: size })
      })
    }).pipe(
      Effect.catchTag("SERVICE_UNAVAILABLE", (error) => Effect.map(Effect.orDie(encodeUnavailable(error)), respond))
    )

    yield* router.add("GET", "/uploads/:project/:name", here(serve))
  })
)
