/** Endpoints of images for the bodies of templates and campaigns. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { envelope, InvalidCursor, ResourceNotFound, ServiceUnavailable } from "../../platform/Errors.ts"
import { JsonBody, TakesFile, Validation } from "../../platform/Request.ts"
import { ImageName, ImagePage, ImageQuery, ImageUpload, maxImageBytes, NotAnImage, UploadedImage } from "./Image.ts"

export class UploadsApi extends HttpApiGroup.make("uploads")
  .add(
    HttpApiEndpoint.post("image", "/image", {
      payload: ImageUpload,
      success: UploadedImage,
      error: [envelope(NotAnImage), envelope(ServiceUnavailable)]
    })
      .annotate(TakesFile, maxImageBytes)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Upload an image",
          description:
            "One JPEG, PNG, GIF or WebP in the field `image`, at most 10 MB and 10,000 pixels on each side; 415 for anything else, including SVG. The response has its public URL, which is always the same for the same image. All images of a project together may have 1 GB."
        })
      ),
    HttpApiEndpoint.get("images", "/images", {
      query: ImageQuery,
      success: ImagePage,
      error: envelope(InvalidCursor)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List images",
        description: "The images of the project, newest first. An image that was uploaded again has its first date."
      })
    ),
    HttpApiEndpoint.delete("removeImage", "/images/:name", {
      params: { name: ImageName },
      success: HttpApiSchema.NoContent,
      error: [envelope(ResourceNotFound), envelope(ServiceUnavailable)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete an image",
        description:
          "For OWNER and ADMIN. Its URL answers 404 from then on: mail that was sent with it loses the picture, and so do templates and campaigns that name it. Caches may show it for longer."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(OpenApi.Description, "Images for mails.")
  .prefix("/uploads") {}
