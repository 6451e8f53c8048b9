/** The endpoint of the search. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Validation } from "../../platform/Request.ts"
import { SearchQuery, SearchResults } from "./Search.ts"

export class SearchApi extends HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.get("find", "/", { query: SearchQuery, success: SearchResults }).annotateMerge(
      OpenApi.annotations({
        summary: "Find records by name, address or id",
        description:
          "Contacts by address; campaigns, templates, partials, segments, workflows and domains by name, templates also by alias; any of them, and mails, by id. Contacts match within their address from three characters on, and with two at its beginning. Closed to API keys."
      })
    )
  )
  .middleware(Validation)
  .middleware(ProjectAccess)
  .annotate(OpenApi.Description, "One search over the records of the project.")
  .prefix("/search") {}
