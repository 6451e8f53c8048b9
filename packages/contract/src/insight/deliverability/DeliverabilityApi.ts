/** Endpoints about mailbox providers. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import { ProviderDeliveries } from "./Deliverability.ts"

export class DeliverabilityApi extends HttpApiGroup.make("deliverability")
  .add(
    HttpApiEndpoint.get("providers", "/providers", { success: ProviderDeliveries }).annotateMerge(
      OpenApi.annotations({
        summary: "How mail to each mailbox provider goes",
        description:
          "Mailbox providers that got mail of the project in 7 days, or that asked for less mail. The service then sends less there, lets the rest wait, and sends more again by itself."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(OpenApi.Description, "How mail to mailbox providers goes.")
  .prefix("/deliverability") {}
