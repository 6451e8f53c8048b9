/** Endpoints of contacts. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, InvalidCursor } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, PlainError, PlainRefusal, Validation } from "../../platform/Request.ts"
import { ContactLinks } from "../preferences/Preferences.ts"
import { VerifiedAddress, VerifyAddress } from "../verification/Verify.ts"
import {
  Contact,
  ContactId,
  ContactNotFound,
  ContactPage,
  ContactQuery,
  CreatedContact,
  EmailAlreadyExists,
  UpdateContact,
  UpdatedContact,
  UpsertContact
} from "./Contact.ts"
import { consentEndpoints } from "./ContactConsentApi.ts"
import { exportEndpoints } from "./ContactExportApi.ts"
import { fieldEndpoints } from "./ContactFieldsApi.ts"
import { jobEndpoints } from "./ContactJobsApi.ts"
import { MergeContact, MergedContact } from "./ContactMerge.ts"
import { selectionEndpoints } from "./ContactSelectionApi.ts"
import { SendingState } from "./SendingState.ts"

const notFound = envelope(ContactNotFound)

export class ContactsApi extends HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: ContactQuery,
      success: ContactPage,
      error: envelope(InvalidCursor)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List contacts",
        description: "The contacts of the project, newest first unless sorted otherwise."
      })
    ),
    HttpApiEndpoint.post("upsert", "/", {
      payload: body(UpsertContact),
      success: [CreatedContact, UpdatedContact],
      error: [PlainError, envelope(EmailAlreadyExists), envelope(Conflict)]
    })
      .annotate(PlainRefusal, { field: "email", or: "externalId", text: "Email is required" })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create or update a contact by its address or external id",
          description:
            "201 when the contact is new, 200 when it existed; `_meta` says which. Concurrent calls for one address create one contact with all data merged. A contact with the `externalId` gets the address of the call; 409 `EMAIL_ALREADY_EXISTS` if another contact has that address, and 409 with reason `external_id_taken` if the contact with the address has another external id."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: ContactId },
      success: Contact,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "Read a contact", description: "One contact with its custom data." })
    ),
    HttpApiEndpoint.get("links", "/:id/links", {
      params: { id: ContactId },
      success: ContactLinks,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Links to the pages of a contact",
        description:
          "For an application that shows the pages to its signed-in user. A person who has a link acts for the contact; links do not expire."
      })
    ),
    HttpApiEndpoint.get("sendingState", "/:id/sending-state", {
      params: { id: ContactId },
      success: SendingState,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read how the sending policy acts on a contact",
        description: "By the rules of `/settings/sending` at this moment, in the time zone of the contact."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params: { id: ContactId },
      payload: body(UpdateContact),
      success: Contact,
      error: [notFound, envelope(EmailAlreadyExists), envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a contact",
        description:
          "Absent fields keep their values. 409 with reason `external_id_taken` if another contact has the `externalId`. A changed `subscribed` emits `contact.subscribed` or `contact.unsubscribed`. When the address changes, history and segments stay with the contact; suppressions stay with the old address."
      })
    ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params: { id: ContactId },
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a contact",
        description:
          "Deletes the contact with its events and memberships, and cannot be undone. Mail not yet sent is cancelled, records of sent mail stay without the contact, and a suppression of the address stays."
      })
    ),
    HttpApiEndpoint.post("merge", "/:id/merge", {
      params: { id: ContactId },
      payload: body(MergeContact),
      success: MergedContact,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Merge another contact into a contact",
        description:
          "The contact of the path stays, with its id and address; the one of the body goes. Its events, mails, ended executions and static segments move, keys that are missing in the data come from it, its external id becomes a further one, and its links act on the contact that stays. Of two subscriptions the stricter wins. Active executions of it are cancelled, and its unsent mail goes to the address that stays, unless that has its own from the same campaign. 404 for its id then names the other in `details.mergedInto`. At most 50,000 events and mails. Cannot be undone."
      })
    ),
    ...selectionEndpoints,
    HttpApiEndpoint.post("verify", "/verify", {
      payload: body(VerifyAddress),
      success: VerifiedAddress
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Verify an address with a session",
        description:
          "The same as `POST /v1/verify`, which takes keys only: also with a session. Nothing is stored and no contact is created."
      })
    ),
    ...fieldEndpoints,
    ...jobEndpoints,
    ...consentEndpoints,
    ...exportEndpoints
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ContactNotFound({ id })))
  .annotate(OpenApi.Description, "People, one for each address, with the custom data that their mail is rendered from.")
  .prefix("/contacts") {}
