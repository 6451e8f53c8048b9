/** Endpoints of campaigns. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BillingLimitExceeded } from "../../accounts/billing/Billing.ts"
import { SegmentNotFound } from "../../audience/segments/Segment.ts"
import { TemplateNotFound } from "../../content/templates/Template.ts"
import { Forbidden, ProjectAccess } from "../../platform/Auth.ts"
import {
  BadRequest,
  Conflict,
  envelope,
  InvalidCursor,
  ResourceInUse,
  SenderDomainUnverified,
  ValidationError
} from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { BodyLimit, JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import {
  CampaignAnswer,
  CampaignDetailAnswer,
  CampaignDone,
  CampaignId,
  CampaignNotFound,
  CampaignPage,
  CampaignQuery,
  CampaignStatsAnswer,
  EmptyAudience,
  RecipientPage,
  RecipientQuery,
  RetriedAnswer,
  RetryFailed,
  SendCampaign,
  TestCampaign,
  TestedAnswer,
  WriteCampaign
} from "./Campaign.ts"

const notFound = envelope(CampaignNotFound)
const conflict = envelope(Conflict)
const unverified = envelope(SenderDomainUnverified)
const overLimit = envelope(BillingLimitExceeded)
const params = { id: CampaignId }
/** A malformed id is a faulty parameter here (400), not an unknown campaign. */
const LateId = Schema.String.pipe(Schema.annotateEncoded({ format: "uuid" }))
/** Content is large. The other fields of a campaign are not. */
const contentLimit = 10 * 1024 * 1024
const named = [envelope(SegmentNotFound), envelope(TemplateNotFound)] as const

export class CampaignsApi extends HttpApiGroup.make("campaigns")
  .add(
    HttpApiEndpoint.get("list", "/", { query: CampaignQuery, success: CampaignPage }).annotateMerge(
      OpenApi.annotations({
        summary: "List campaigns",
        description:
          "The campaigns of the project, newest first unless sorted otherwise. `search` looks in name, subject and sender address."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(WriteCampaign),
      success: CampaignAnswer.pipe(HttpApiSchema.status(201)),
      error: [unverified, ...named]
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a campaign",
          description:
            "A draft. A template gives texts and sender where the request has none. Subject, body and condition are read at once; the domain of `from` must be verified. At most 10 MB."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: CampaignDetailAnswer, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a campaign",
        description: "One campaign with its counters and the segment of its audience."
      })
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: body(WriteCampaign),
      success: CampaignAnswer,
      error: [notFound, conflict, unverified, ...named]
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace a campaign",
          description:
            "Only while it is `DRAFT` or `SCHEDULED`, else 409 with reason `campaign_state`. The whole body as for create: what is absent goes back to its default. A schedule stays. At most 10 MB."
        })
      ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, envelope(ResourceInUse)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a campaign",
        description: "Refused while mails of the campaign wait or are being sent. Sent mails keep their records."
      })
    ),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      success: CampaignDone.pipe(HttpApiSchema.status(201)),
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Duplicate a campaign",
        description: "A new draft with the same texts and audience, and ` (Copy)` after the name."
      })
    ),
    HttpApiEndpoint.post("send", "/:id/send", {
      params: { id: LateId },
      payload: body(SendCampaign),
      success: CampaignDone,
      error: [
        notFound,
        conflict,
        unverified,
        envelope(EmptyAudience),
        overLimit,
        envelope(ValidationError),
        envelope(BadRequest)
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send or schedule a campaign",
        description:
          "The audience is fixed at once, and the mails leave in the background. With `scheduledFor` the campaign begins within 5 seconds of that time; sending again replaces the time. Of two requests at the same moment one wins, the other gets 409."
      })
    ),
    HttpApiEndpoint.post("cancel", "/:id/cancel", {
      params,
      success: CampaignDone,
      error: [notFound, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel a campaign",
        description:
          "No further mail of the campaign is handed over; one that is being sent may finish. Waiting mails become `CANCELLED`. Repeating it is harmless."
      })
    ),
    HttpApiEndpoint.post("pause", "/:id/pause", {
      params,
      success: CampaignDone,
      error: [notFound, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Pause a campaign",
        description: "As cancel, but waiting mails stay until `resume`. Repeating it is harmless."
      })
    ),
    HttpApiEndpoint.post("resume", "/:id/resume", {
      params,
      success: CampaignDone,
      error: [notFound, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Resume a campaign",
        description: "Waiting mails are sent. Repeating it is harmless."
      })
    ),
    HttpApiEndpoint.post("retryFailed", "/:id/retry-failed", {
      params,
      payload: body(RetryFailed),
      success: RetriedAnswer,
      error: [notFound, conflict, unverified, overLimit]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send failed mails of a campaign again",
        description:
          "`FAILED` mails, with `includeAmbiguous` also `AMBIGUOUS` ones, wait again under their ids; a campaign that was `SENT` is `SENDING` until they are done. A recipient who got the mail is never among them."
      })
    ),
    HttpApiEndpoint.post("test", "/:id/test", {
      params,
      payload: body(TestCampaign),
      success: TestedAnswer,
      error: [notFound, conflict, unverified, envelope(Forbidden), envelope(ValidationError)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send a test",
        description:
          "To one address, of a contact or a member of the project, with `[TEST] ` before the subject; its links change nothing and it is left out of all counts. Without a contact, missing variables print as their names in brackets. 409 with reason `suppressed` for an address that gets no mail."
      })
    ),
    HttpApiEndpoint.get("stats", "/:id/stats", { params, success: CampaignStatsAnswer, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Counters and rates of a campaign", description: "Exact, as of now." })
    ),
    HttpApiEndpoint.get("recipients", "/:id/recipients", {
      params,
      query: RecipientQuery,
      success: RecipientPage,
      error: [notFound, envelope(InvalidCursor)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the recipients of a campaign",
        description:
          "The audience as it was fixed, with what became of each mail, ordered by contact id; empty before the campaign is sent. `search` looks in the address."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new CampaignNotFound({ id })))
  .annotate(OpenApi.Description, "One text to an audience, sent at once or at a time.")
  .prefix("/campaigns") {}
