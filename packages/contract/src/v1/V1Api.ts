/** The public endpoints, versioned by their path (contract 9, 10). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PublicKey, SecretKey } from "../Auth.ts"
import { BillingLimitExceeded } from "../billing/Billing.ts"
import { SenderDomainUnverified } from "../domains/Domain.ts"
import { envelope } from "../Errors.ts"
import { BodyLimit, Idempotent, JsonBody, Validation } from "../Request.ts"
import { TemplateNotFound } from "../templates/Template.ts"
import { body } from "../Wire.ts"
import { SendEmail, SentEmails } from "./Send.ts"
import { TrackEvent, TrackedEvent } from "./Track.ts"
import { VerifiedAddress, VerifyAddress } from "./Verify.ts"

/** Ten attachments of the default total, base64, beside the texts (1.6). */
const sendLimit = 40 * 1024 * 1024

export class V1Api extends HttpApiGroup.make("v1", { topLevel: true })
  .add(
    HttpApiEndpoint.post("track", "/track", { payload: body(TrackEvent), success: TrackedEvent })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Track an event",
          description:
            "Records what a contact did, and creates or updates the contact. Takes the public key. The same call again makes a new event, unless an `Idempotency-Key` is sent."
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
            "To one or up to 1,000 recipients, each with a mail of its own; the contacts are created or updated. Needs a template, or subject and body. All recipients are accepted or none. 200 means stored and queued: `GET /emails/{id}` tells of the delivery. At most 40 MB."
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
