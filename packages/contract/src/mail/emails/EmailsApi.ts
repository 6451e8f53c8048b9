/** Endpoints of the delivery ledger. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, InvalidCursor, ResourceNotFound, SenderDomainUnverified } from "../../platform/Errors.ts"
import { body, described } from "../../platform/Primitives.ts"
import { BodyLimit, Idempotent, JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { SendEmail, SentEmails, sendErrors, sendLimit } from "../sending/Send.ts"
import { Email, EmailContent, EmailDetail, EmailId, EmailPage, EmailQuery, UpdateEmail } from "./Email.ts"

const notFound = envelope(ResourceNotFound)
const conflict = envelope(Conflict)
const params = { id: EmailId }
const RawMessage = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "message/rfc822" }))

export class EmailsApi extends HttpApiGroup.make("emails")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: EmailQuery,
      success: EmailPage,
      error: envelope(InvalidCursor)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List emails",
        description: "The records of the project's mail, one for each mail to each recipient, newest first."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: EmailDetail, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Read an email",
        description: "The record with every delivery attempt and its result."
      })
    ),
    HttpApiEndpoint.get("content", "/:id/content", {
      params,
      query: Schema.Struct({
        format: Schema.optionalKey(Schema.Literals(["json", "raw"])).pipe(
          described("`raw`: the message as `message/rfc822`.", "json")
        )
      }),
      success: [EmailContent, RawMessage],
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the content of an email",
        description:
          "As rendered, before link rewriting and without the tracking pixel, so that reading it does not count as an open. After retention the texts are null and `raw` is 404."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateEmail),
      success: Email,
      error: [notFound, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Reschedule an email",
        description:
          "Only mail that is still `SCHEDULED`, else 409 with reason `not_scheduled`. A later time moves it; null or a past time sends it at once."
      })
    ),
    HttpApiEndpoint.post("cancel", "/:id/cancel", {
      params,
      success: Email,
      error: [notFound, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel an email",
        description:
          "Only mail that is still `SCHEDULED` or `PENDING`, else 409 with reason `not_cancellable`. Safe to repeat."
      })
    ),
    HttpApiEndpoint.post("retry", "/:id/retry", {
      params,
      success: Email,
      error: [notFound, conflict, envelope(SenderDomainUnverified)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send a failed email again",
        description:
          "Only mail that is `FAILED` or `AMBIGUOUS`, with the same Message-ID. Sender domain, suppression and subscription are checked again: 409 with reason `not_retryable`, `content_purged`, `suppressed` or `contact_unsubscribed`."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  // Added after the others, so that the Idempotency-Key is handled around the validation.
  .add(
    HttpApiEndpoint.post("send", "/", { payload: body(SendEmail), success: SentEmails, error: sendErrors })
      .annotate(BodyLimit, sendLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send email with a session",
          description: "The same as `POST /v1/send`, which takes keys only: also with a session, of any role."
        })
      )
      .middleware(Validation)
      .middleware(Idempotent)
      .middleware(JsonBody)
      .middleware(ProjectAccess)
  )
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "email", id })))
  .annotate(OpenApi.Description, "The delivery ledger: one record for each mail to each recipient.")
  .prefix("/emails") {}
