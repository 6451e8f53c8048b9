/** The versioned endpoints `/v1/track`, `/v1/send`, `/v1/batch` and `/v1/verify`. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EmailAlreadyExists } from "../../audience/contacts/Contact.ts"
import { TrackEvent, TrackedEvent } from "../../audience/events/Track.ts"
import { VerifiedAddress, VerifyAddress } from "../../audience/verification/Verify.ts"
import { SendBatch, SentBatch } from "../../mail/sending/Batch.ts"
import { SendEmail, SentEmails, sendErrors, sendLimit } from "../../mail/sending/Send.ts"
import { PublicKey, SecretKey } from "../../platform/Auth.ts"
import { Conflict, envelope, RateLimitExceeded } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { BodyLimit, Idempotent, JsonBody, Validation } from "../../platform/Request.ts"

export class V1Api extends HttpApiGroup.make("v1", { topLevel: true })
  .add(
    HttpApiEndpoint.post("track", "/track", {
      payload: body(TrackEvent),
      success: TrackedEvent,
      error: [envelope(EmailAlreadyExists), envelope(Conflict), envelope(RateLimitExceeded)]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Track an event",
          description:
            "Records what a contact did, and creates or updates the contact. Needs the public key. A repeated call records another event, unless it has an `Idempotency-Key`. The `publicKeyPolicy` of the project defines what the key may do; at most 60 calls a minute for one contact, and 600 from one client address."
        })
      )
      .middleware(Validation)
      .middleware(Idempotent)
      .middleware(JsonBody)
      .middleware(PublicKey),
    HttpApiEndpoint.post("send", "/send", {
      payload: body(SendEmail),
      success: SentEmails,
      error: sendErrors
    })
      .annotate(BodyLimit, sendLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send email",
          description:
            "Sends a separate email to each of 1 to 1,000 recipients; the contacts are created or updated. Requires a template, or subject and body. All recipients are accepted or none. 200 means stored and queued: `GET /emails/{id}` has the delivery state. At most 40 MB."
        })
      )
      .middleware(Validation)
      .middleware(Idempotent)
      .middleware(JsonBody)
      .middleware(SecretKey),
    HttpApiEndpoint.post("batch", "/batch", {
      payload: body(SendBatch),
      success: SentBatch,
      error: sendErrors
    })
      .annotate(BodyLimit, sendLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send a batch",
          description:
            "Sends 1 to 1,000 different emails in one request and one transaction. `atomic` decides whether a faulty item refuses the whole batch or only itself. An item with an `idempotencyKey` counts as `POST /v1/send` with that key: with `Idempotency-Mode: replay`, a repeated batch sends only the items that were not accepted before. At most 40 MB."
        })
      )
      .middleware(Validation)
      .middleware(Idempotent)
      .middleware(JsonBody)
      .middleware(SecretKey),
    HttpApiEndpoint.post("verify", "/verify", { payload: body(VerifyAddress), success: VerifiedAddress })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Verify an address",
          description:
            "Checks the syntax of the address and looks up its domain in the DNS. The mail server is not contacted, no mail is sent, nothing is stored and no contact is created."
        })
      )
      .middleware(Validation)
      .middleware(JsonBody)
      .middleware(SecretKey)
  )
  .annotate(OpenApi.Description, "The endpoints that applications call most: send, track and verify.")
  .prefix("/v1") {}
