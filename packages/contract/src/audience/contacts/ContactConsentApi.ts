/** Endpoints of what a contact said about topics, and of the records of it. */
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { envelope, InvalidCursor } from "../../platform/Errors.ts"
import { described } from "../../platform/Primitives.ts"
import { ConsentPage, ContactConsentQuery } from "../consents/Consent.ts"
import { DefaultSubscription, TopicVisibility } from "../topics/Topic.ts"
import { ContactId, ContactNotFound } from "./Contact.ts"

export const ContactTopic = Schema.Struct({
  topic: Schema.Struct({ id: Schema.String, key: Schema.String, name: Schema.String }),
  state: Schema.Literals(["subscribed", "unsubscribed", "pending", "unset"]).pipe(
    described("What the contact said. `unset`: nothing. `pending`: it was asked to confirm.")
  ),
  takes: Schema.Boolean.pipe(described("Whether it gets mail of the topic, apart from a snooze.")),
  defaultSubscription: DefaultSubscription,
  visibility: TopicVisibility
}).annotate({ identifier: "ContactTopic", description: "A topic, and what the contact said about it." })
export type ContactTopic = typeof ContactTopic.Type

const params = { id: ContactId }
const notFound = envelope(ContactNotFound)

export const consentEndpoints = [
  HttpApiEndpoint.get("topics", "/:id/topics", {
    params,
    success: Schema.Array(ContactTopic),
    error: notFound
  }).annotateMerge(
    OpenApi.annotations({
      summary: "List the topics of a contact",
      description: "Every topic of the project that is not archived, by position, and what the contact said about it."
    })
  ),
  HttpApiEndpoint.get("consents", "/:id/consents", {
    params,
    query: ContactConsentQuery,
    success: ConsentPage,
    error: [notFound, envelope(InvalidCursor)]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "List the records of consent of a contact",
      description: "Newest first. The first record of a contact that was created subscribed follows from the contact."
    })
  )
] as const
