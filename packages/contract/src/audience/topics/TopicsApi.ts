/** Endpoints of topics. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, InvalidCursor, ResourceInUse, ResourceNotFound } from "../../platform/Errors.ts"
import { body, described } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { ContactPage } from "../contacts/Contact.ts"
import { CreateTopic, Topic, TopicName, TopicQuery, TopicUsage, UpdateTopic } from "./Topic.ts"
import { TopicContactQuery } from "./TopicContacts.ts"

const notFound = envelope(ResourceNotFound)
const conflict = envelope(Conflict)
const params = { topic: TopicName.pipe(described("The id or the key of the topic.")) }
const Topics = Schema.Array(Topic).annotate({ description: "Topics of the project, by position." })

export class TopicsApi extends HttpApiGroup.make("topics")
  .add(
    HttpApiEndpoint.get("list", "/", { query: TopicQuery, success: Topics }).annotateMerge(
      OpenApi.annotations({
        summary: "List topics",
        description: "By position, without pages. Archived topics are left out unless asked for."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(CreateTopic),
      success: Topic.pipe(HttpApiSchema.status(201)),
      error: conflict
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a topic",
        description:
          "A project has at most 100 topics, archived ones included. 409 with reason `key_taken` if another topic has the key."
      })
    ),
    HttpApiEndpoint.get("get", "/:topic", { params, success: Topic, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a topic", description: "By its id or its key, with its counts." })
    ),
    HttpApiEndpoint.patch("update", "/:topic", {
      params,
      payload: body(UpdateTopic),
      success: Topic,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a topic",
        description:
          "Absent fields keep their values. Key and `defaultSubscription` never change. An archived topic is gone from pages, forms, and new campaigns, templates and sends; scheduled campaigns and mail that is already made go on, and the states of contacts stay."
      })
    ),
    HttpApiEndpoint.delete("delete", "/:topic", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, envelope(ResourceInUse)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a topic",
        description:
          "Refused while a campaign in DRAFT, SCHEDULED or SENDING, a template, a step of a workflow, a form or a segment uses it; the details list them. What contacts said about it is gone at once."
      })
    ),
    HttpApiEndpoint.get("usage", "/:topic/usage", { params, success: TopicUsage, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "List the uses of a topic",
        description: "What uses the topic, at most 100 of each kind, and whether it can be deleted."
      })
    )
  )
  .add(
    HttpApiEndpoint.get("contacts", "/:topic/contacts", {
      params,
      query: TopicContactQuery,
      success: ContactPage,
      error: [notFound, envelope(InvalidCursor)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the contacts of a topic",
        description:
          "Those that take the topic, snoozes aside, or those that said yes or no, or were asked to confirm; newest first."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "topic", id })))
  .annotate(OpenApi.Description, "Kinds of mail that contacts take or leave, apart from all other mail.")
  .prefix("/topics") {}
