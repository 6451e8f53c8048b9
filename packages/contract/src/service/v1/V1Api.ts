/** The public endpoints. Their path has the version. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BillingLimitExceeded } from "../../accounts/billing/Billing.ts"
import { TrackEvent, TrackedEvent } from "../../audience/events/Track.ts"
import { TemplateNotFound } from "../../content/templates/Template.ts"
import { PublicKey, SecretKey } from "../../platform/Auth.ts"
import { envelope, RateLimitExceeded, SenderDomainUnverified } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { BodyLimit, Idempotent, JsonBody, Validation } from "../../platform/Request.ts"
import { SendEmail, SentEmails } from "./Send.ts"
import { VerifiedAddress, VerifyAddress } from "./Verify.ts"

/** Room for ten attachments of the default total size in base64, and the texts. */
const sendLimit = 40 * 1024 * 1024

export class V1Api extends HttpApiGroup.make("v1", { topLevel: true })
  .add(
    HttpApiEndpoint.post("track", "/track", {
      payload: body(TrackEvent),
      success: TrackedEvent,
      error: envelope(RateLimitExceeded)
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Track an event",
          description:
            "Records what a contact did, and creates or updates the contact. Takes the public key. Repeating the call makes a new event, unless an `Idempotency-Key` is sent. The `publicKeyPolicy` of the project says what the key may do; at most 60 calls a minute for one contact, and 600 from one client address."
        })
      )
      .middleware(Validation)
      .middleware(Idempotent)
      .middleware(JsonBody)
      .middleware(PublicKey),
    HttpApiEndpoint.post("send", "/send", {
      payload: body(SendEmail),
      success: SentEmails,
      error: [envelope(TemplateNotFound), envelope(SenderDomainUnverified), envelope(BillingLimitExceeded)]
    })
      .annotate(BodyLimit, sendLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send email",
          description:
            "To one or up to 1,000 recipients, each with a mail of its own; the contacts are created or updated. Needs a template, or subject and body. All recipients are accepted or none. 200 means stored and queued: `GET /emails/{id}` has the delivery state. At most 40 MB."
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
            "Looks at the form of the address and asks the DNS about its domain. The mail server is not contacted, no mail is sent, nothing is stored and no contact is created."
        })
      )
      .middleware(Validation)
      .middleware(JsonBody)
      .middleware(SecretKey)
  )
  .annotate(OpenApi.Description, "What applications call all day: send, track and verify.")
  .prefix("/v1") {}
