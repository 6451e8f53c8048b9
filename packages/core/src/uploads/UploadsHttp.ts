/** Handlers of UploadsApi, and the public side: `GET /uploads/{projectId}/{name}` (contract-2 8.1). */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/Auth"
import { envelope, ResourceNotFound, ServiceUnavailable, ValidationError } from "@posthorn/contract/Errors"
import type { JsonBody, Validation } from "@posthorn/contract/Request"
import { maxFramingBytes, maxImageBytes } from "@posthorn/contract/uploads/Image"
import { Effect, type Layer, Option, Schema, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../http/RequestContext.ts"
import { respond } from "../http/Respond.ts"
import { inContext } from "../http/Routes.ts"
import { readUpload } from "../http/Upload.ts"
import { Images } from "./Images.ts"

const limits = { maxFile: maxImageBytes, maxFraming: maxFramingBytes, names: ["image", "file"] } as const

const api: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "uploads">,
  never,
  Images | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "uploads",
  Effect.fnUntraced(function* (handlers) {
    const images = yield* Images
    return handlers.handleAll({
      image: Effect.fnUntraced(function* ({ payload }) {
        const { id } = yield* CurrentProject
        const { file: bytes, filename } = yield* readUpload(payload, limits)
        if (bytes.length === 0) return yield* ValidationError.one("image", "custom", "The file is empty.")
        return yield* images.upload(id, { bytes, filename })
      })
    })
  })
)

export { api as layer }

/** Nothing in it may run, wherever it is opened; and it never changes under its name. */
const headers = {
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "public, max-age=31536000, immutable"
}

const encodeNotFound = Schema.encodeEffect(envelope(ResourceNotFound))
const encodeUnavailable = Schema.encodeEffect(envelope(ServiceUnavailable))

/** What is served to everybody. */
export const routes: Layer.Layer<never, never, HttpRouter.HttpRouter | Images> = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const images = yield* Images
    const here = yield* inContext

    /** For who wants no content none is fetched. */
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
