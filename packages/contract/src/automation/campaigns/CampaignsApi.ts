/** Endpoints of campaigns. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BillingLimitExceeded } from "../../accounts/billing/Billing.ts"
import { SegmentNotFound } from "../../audience/segments/Segment.ts"
import { TemplateNotFound } from "../../content/templates/Template.ts"
import { Forbidden, ProjectAccess, ProjectSession } from "../../platform/Auth.ts"
import {
  BadRequest,
  Conflict,
  envelope,
  InvalidCursor,
  ResourceInUse,
  ResourceNotFound,
  SenderDomainUnverified,
  ValidationError
} from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { BodyLimit, JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import {
  ApproveCampaign,
  CampaignAnswer,
  CampaignDetailAnswer,
  CampaignDone,
  CampaignExperimentAnswer,
  CampaignId,
  CampaignLinksAnswer,
  CampaignNotFound,
  CampaignPage,
  CampaignProvidersAnswer,
  CampaignQuery,
  CampaignReportAnswer,
  CampaignStatsAnswer,
  EmptyAudience,
  FollowUpCampaign,
  RecipientPage,
  RecipientQuery,
  RejectCampaign,
  ReplaceCampaign,
  RequestApproval,
  RetriedAnswer,
  RetryFailed,
  SendCampaign,
  TestCampaign,
  TestedAnswer,
  WriteCampaign
} from "./Campaign.ts"
import { ChooseVariant } from "./CampaignExperiment.ts"
import { SetRecurrence } from "./CampaignRecurrence.ts"
import { CampaignLinksQuery, CampaignReportQuery } from "./CampaignReport.ts"

const notFound = envelope(CampaignNotFound)
const noExperiment = envelope(ResourceNotFound)
const conflict = envelope(Conflict)
const unverified = envelope(SenderDomainUnverified)
const overLimit = envelope(BillingLimitExceeded)
const params = { id: CampaignId }
/** The handler checks this id: a malformed one is a faulty parameter (400), not an unknown campaign. */
const UncheckedId = Schema.String.pipe(Schema.annotateEncoded({ format: "uuid" }))
const contentLimit = 10 * 1024 * 1024
const unknownReferences = [notFound, envelope(SegmentNotFound), envelope(TemplateNotFound)] as const

export class CampaignsApi extends HttpApiGroup.make("campaigns")
  .add(
    HttpApiEndpoint.get("list", "/", { query: CampaignQuery, success: CampaignPage }).annotateMerge(
      OpenApi.annotations({
        summary: "List campaigns",
        description:
          "The campaigns of the project, newest first unless sorted otherwise. `search` matches name, subject and sender address."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(WriteCampaign),
      success: CampaignAnswer.pipe(HttpApiSchema.status(201)),
      error: [conflict, unverified, ...unknownReferences]
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a campaign",
          description:
            "The new campaign is a draft. A template supplies the texts and the sender that the request does not have. MJML is compiled now. Subject, body and condition are checked at once; the domain of `from` must be verified. If its topic is archived: 409 with reason `topic_archived`. At most 10 MB."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: CampaignDetailAnswer, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a campaign",
        description: "One campaign with its counters, the segment of its audience and its topic."
      })
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: body(ReplaceCampaign),
      success: CampaignAnswer,
      error: [conflict, unverified, ...unknownReferences]
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace a campaign",
          description:
            "Only while it is `DRAFT` or `SCHEDULED`, else 409 with reason `campaign_state`. Takes the same body as create: an absent field gets its default. With `ifUpdatedAt`, only if nothing has changed it since, else 409 with reason `changed_meanwhile`. The schedule is kept. A change ends a requested or given approval. A scheduled campaign of a caller who needs an approval cannot be changed: 409 with reason `approval_required`. At most 10 MB."
        })
      ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, envelope(ResourceInUse)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a campaign",
        description: "Refused while mails of the campaign wait or are being sent. The records of sent mails are kept."
      })
    ),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      success: CampaignDone.pipe(HttpApiSchema.status(201)),
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Duplicate a campaign",
        description: "Creates a draft with the same texts and audience, and ` (Copy)` after the name."
      })
    ),
    HttpApiEndpoint.post("followUp", "/:id/follow-up", {
      params,
      payload: body(FollowUpCampaign),
      success: CampaignAnswer.pipe(HttpApiSchema.status(201)),
      error: [notFound, conflict, envelope(ValidationError)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Follow up a campaign",
        description:
          "Creates a draft with the same texts and the default `delivery`, to all contacts that were recipients of the campaign and reacted as `who` says, or did not. 409 with reason `campaign_state` for a draft or scheduled campaign."
      })
    ),
    HttpApiEndpoint.post("send", "/:id/send", {
      params: { id: UncheckedId },
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
          "The audience is fixed at once, and the mails are sent in the background. With `scheduledFor`, sending starts within 5 seconds of that time; sending again replaces the time. 409 with reason `approval_required` if `campaignApproval` of `/settings/sending` asks for an approval that the campaign does not have. Of two simultaneous requests one succeeds and the other gets 409."
      })
    ),
    HttpApiEndpoint.put("setRecurrence", "/:id/recurrence", {
      params,
      payload: body(SetRecurrence),
      success: CampaignAnswer,
      error: [notFound, conflict, envelope(ValidationError)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send a campaign again and again",
        description:
          "Only for a draft, else 409 with reason `campaign_state`. Each firing makes a campaign with the texts and the audience that the draft has then, the date after its name and `parentId`, and starts it as a schedule does; with `delivery.localTime` when the first time zone of the world has reached its wall clock. Of the firings that an outage missed, the latest of the last 24 hours runs, once. None fires from `delivery.expiresAt` on. An approval is asked for as on sending. At most 50 for each project. Safe to repeat."
      })
    ),
    HttpApiEndpoint.delete("removeRecurrence", "/:id/recurrence", {
      params,
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "End the recurrence of a campaign",
        description: "The campaigns that it has made go on. Safe to repeat."
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
          "No more mail of the campaign is sent, except mail that is already being transmitted. Waiting mails become `CANCELLED`. Safe to repeat."
      })
    ),
    HttpApiEndpoint.post("pause", "/:id/pause", {
      params,
      success: CampaignDone,
      error: [notFound, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Pause a campaign",
        description: "Like cancel, but waiting mails stay until `resume`. Safe to repeat."
      })
    ),
    HttpApiEndpoint.post("resume", "/:id/resume", {
      params,
      success: CampaignDone,
      error: [notFound, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Resume a campaign",
        description: "Waiting mails are sent. Safe to repeat."
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
          "Queues `FAILED` mails again, and with `includeAmbiguous` also `AMBIGUOUS` ones, with the same ids; a campaign that was `SENT` is `SENDING` until they are done. Mails that were sent are not sent again."
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
          "Sends to one address, of a contact or a member of the project, with `[TEST] ` before the subject. Its links change nothing, and no count includes it. Without a contact, a missing variable is printed as its name in brackets. 409 with reason `suppressed` for a suppressed address."
      })
    ),
    HttpApiEndpoint.get("stats", "/:id/stats", { params, success: CampaignStatsAnswer, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Counters and rates of a campaign", description: "Exact current counts." })
    ),
    HttpApiEndpoint.get("links", "/:id/links", {
      params,
      query: CampaignLinksQuery,
      success: CampaignLinksAnswer,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Clicks on the links of a campaign",
        description:
          "By the links as written in the template, so that a link with placeholders counts as one for all recipients. Exact current counts."
      })
    ),
    HttpApiEndpoint.get("providers", "/:id/providers", {
      params,
      success: CampaignProvidersAnswer,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Results of a campaign by mailbox provider",
        description:
          "By the mailbox providers of the recipients. Exact current counts; mail before its first attempt does not count."
      })
    ),
    HttpApiEndpoint.get("report", "/:id/report", {
      params,
      query: CampaignReportQuery,
      success: CampaignReportAnswer,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Report of a campaign",
        description:
          "Its results by variant, by hour or by mailbox provider. Exact current counts; they stay when contacts and mails are deleted."
      })
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
          "The audience, as fixed when sending started, with the status and the variant of each mail, ordered by contact id; empty before that. The rest of an experiment has no mail before the decision. `search` matches the address."
      })
    ),
    HttpApiEndpoint.get("experiment", "/:id/experiment", {
      params,
      success: CampaignExperimentAnswer,
      error: [notFound, noExperiment]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Show the experiment of a campaign",
        description: "404 for a campaign without `experiment`. Figures decide nothing before `final`."
      })
    ),
    HttpApiEndpoint.post("decideExperiment", "/:id/experiment/winner", {
      params,
      payload: body(ChooseVariant),
      success: CampaignExperimentAnswer,
      error: [notFound, noExperiment, conflict, envelope(ValidationError)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Choose the winner of an experiment",
        description:
          "While it is `TESTING` or `WAITING`, else 409 with reason `experiment_state`. The rest of the audience gets the variant. The same variant again changes nothing."
      })
    ),
    HttpApiEndpoint.post("requestApproval", "/:id/request-approval", {
      params,
      payload: body(RequestApproval),
      success: CampaignAnswer,
      error: [notFound, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Ask for the approval of a campaign",
        description:
          "Only for a draft that is not approved, else 409 with reason `approval_state`. The administrators get a mail. `campaignApproval` of `/settings/sending` says whose campaigns need an approval. Safe to repeat."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .add(
    HttpApiEndpoint.post("approve", "/:id/approve", {
      params,
      payload: body(ApproveCampaign),
      success: CampaignAnswer,
      error: [notFound, conflict, envelope(Forbidden)]
    })
      .middleware(Validation)
      .middleware(JsonBody)
      .middleware(ProjectSession)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Approve a campaign",
          description:
            "Takes the session of an ADMIN or OWNER, and no key. The draft may then be sent as it is; changing it ends the approval. 409 with reason `approval_state` unless an approval is requested. If `campaignApproval` is `ALL`, 403 with reason `own_request` for the one who asked, unless the project has no other administrator. Safe to repeat."
        })
      ),
    HttpApiEndpoint.post("reject", "/:id/reject", {
      params,
      payload: body(RejectCampaign),
      success: CampaignAnswer,
      error: [notFound, conflict]
    })
      .middleware(Validation)
      .middleware(JsonBody)
      .middleware(ProjectSession)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Reject a campaign",
          description:
            "Takes the session of an ADMIN or OWNER, and no key. 409 with reason `approval_state` unless an approval is requested. It can be asked for again. Safe to repeat."
        })
      )
  )
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new CampaignNotFound({ id })))
  .annotate(OpenApi.Description, "One message to an audience, sent at once or at a scheduled time.")
  .prefix("/campaigns") {}
