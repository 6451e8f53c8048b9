/** Endpoints of the settings of a project that are rules of its audience. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { envelope, SenderDomainUnverified } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import { AudienceSettings, UpdateAudienceSettings } from "./AudienceSettings.ts"

/** Settings that are stored and checked, and that nothing acts on yet. */
const later =
  "Not in force yet: `doubleOptIn`, `topicRequired`, `oneClickScope`, `consent`, `selfService`, `pages`, `ingest`. They are checked and stored."

export class SettingsApi extends HttpApiGroup.make("settings")
  .add(
    HttpApiEndpoint.get("audience", "/audience", { success: AudienceSettings }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the settings of the audience",
        description: "All settings, with their defaults."
      })
    ),
    HttpApiEndpoint.patch("updateAudience", "/audience", {
      payload: body(UpdateAudienceSettings),
      success: AudienceSettings,
      error: envelope(SenderDomainUnverified)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change the settings of the audience",
        description: `Absent fields keep their values, in the groups too. 403 if the domain of \`doubleOptIn.from\` is not verified. ${later}`
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(OpenApi.Description, "Rules of the audience: consent, pages of recipients, ingestion.")
  .prefix("/settings") {}
