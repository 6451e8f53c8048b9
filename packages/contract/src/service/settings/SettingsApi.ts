/** Endpoints of the settings of a project: rules of its audience and of its sending. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ContactNotFound } from "../../audience/contacts/Contact.ts"
import {
  AudienceSettings,
  PreferencesPreview,
  PreviewPreferences,
  UpdateAudienceSettings
} from "../../audience/settings/AudienceSettings.ts"
import { SendingSettings, UpdateSendingSettings } from "../../mail/sending/SendingSettings.ts"
import { ProjectAccess } from "../../platform/Auth.ts"
import { envelope, SenderDomainUnverified } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"

/** Settings that are stored and checked, and that nothing acts on yet. */
const later = "Not in force yet: `selfService`. It is checked and stored."

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
    ),
    HttpApiEndpoint.get("sending", "/sending", { success: SendingSettings }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the settings of sending",
        description: "All settings, with their defaults."
      })
    ),
    HttpApiEndpoint.patch("updateSending", "/sending", {
      payload: body(UpdateSendingSettings),
      success: SendingSettings
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change the settings of sending",
        description:
          "Absent fields keep their values. `campaignApproval` acts on campaigns that are sent or scheduled afterwards, the rest on mail that is made or taken for its first attempt afterwards."
      })
    )
  )
  .add(
    HttpApiEndpoint.post("previewPreferences", "/audience/preview", {
      payload: body(PreviewPreferences),
      success: PreferencesPreview,
      error: envelope(ContactNotFound)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Preview the preference page",
        description:
          "The page with the settings of the body in place of the stored ones. Changes nothing. The form is taken out, so the page can be shown to members as it is."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(
    OpenApi.Description,
    "Rules of the audience and of sending: consent, pages of recipients, ingestion, quiet hours, frequency caps, approval of campaigns."
  )
  .prefix("/settings") {}
