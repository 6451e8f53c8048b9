/** The endpoint that follows changes of a project. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import { LiveEvent, LiveHeaders, LiveQuery } from "./Live.ts"

export class LiveApi extends HttpApiGroup.make("live", { topLevel: true })
  .add(
    HttpApiEndpoint.get("live", "/live", {
      query: LiveQuery,
      headers: LiveHeaders,
      success: HttpApiSchema.StreamSse({ events: LiveEvent })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Follow changes",
        description:
          "A stream of server-sent events: what happens in the project, within about two seconds. Lines with an `id` alone move the position. A comment comes every 15 seconds. The stream ends after 15 minutes, and at once when the server stops: connect again with the last id in `Last-Event-ID`, and nothing is lost. An entry that is recorded more than 30 seconds after its own time may be missing; lists have it. At most 20 streams of a user or key and 200 of a project at one server: 429."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(OpenApi.Description, "Changes of the project as they happen.") {}
