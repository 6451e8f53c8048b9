/** Endpoints of opt-ins. */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BillingLimitExceeded } from "../../accounts/billing/Billing.ts"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, InvalidCursor, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { ContactId, ContactNotFound } from "../contacts/Contact.ts"
import { OptIn, OptInPage, OptInQuery, RequestOptIn } from "./OptIn.ts"

const noContact = envelope(ContactNotFound)
const params = { id: ContactId }

export class OptInsApi extends HttpApiGroup.make("optIns")
  .add(
    HttpApiEndpoint.get("list", "/opt-ins", {
      query: OptInQuery,
      success: OptInPage,
      error: envelope(InvalidCursor)
    }).annotateMerge(
      OpenApi.annotations({ summary: "List opt-ins", description: "Requests to confirm subscriptions, newest first." })
    ),
    HttpApiEndpoint.post("request", "/contacts/:id/opt-in", {
      params,
      payload: body(RequestOptIn),
      success: OptIn.pipe(HttpApiSchema.status(202)),
      error: [noContact, envelope(Conflict), envelope(BillingLimitExceeded)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Ask a contact to confirm",
        description:
          "Stores the request and its confirmation mail. While one is open, what is asked for is added to it. 409 with reason `already_confirmed` if the contact has all of it, or `suppressed`; 429 after one mail in a minute or ten in a day."
      })
    ),
    HttpApiEndpoint.get("ofContact", "/contacts/:id/opt-ins", {
      params,
      success: Schema.Array(OptIn),
      error: noContact
    }).annotateMerge(
      OpenApi.annotations({ summary: "List a contact's opt-ins", description: "All of them, newest first." })
    ),
    HttpApiEndpoint.delete("cancel", "/contacts/:id/opt-in", {
      params,
      success: HttpApiSchema.NoContent,
      error: [noContact, envelope(ResourceNotFound)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "End a contact's open opt-in",
        description: "Its links do nothing from then on, and a confirmation mail that waits is cancelled."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Effect.orDie(Schema.encodeEffect(noContact)(new ContactNotFound({ id }))))
  .annotate(OpenApi.Description, "Double opt-in: contacts confirm by mail that they want what was asked for.") {}
