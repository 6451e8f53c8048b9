/** Endpoints of images for the bodies of templates and campaigns. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { envelope, ServiceUnavailable } from "../../platform/Errors.ts"
import { JsonBody, TakesFile, Validation } from "../../platform/Request.ts"
import { ImageUpload, maxImageBytes, NotAnImage, UploadedImage } from "./Image.ts"

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
      )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(OpenApi.Description, "Images for mails.")
  .prefix("/uploads") {}
