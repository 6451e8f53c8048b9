/** Handlers of TopicsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as TopicContacts from "./TopicContacts.ts"
import { Topics } from "./Topics.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "topics">,
  never,
  JsonBody | ProjectAccess | TopicContacts.Needs | Topics | Validation
> = group(
  Api,
  "topics",
  Effect.fnUntraced(function* (handlers) {
    const topics = yield* Topics
    const topicContacts = yield* TopicContacts.make
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => topics.list(id, query)),
      create: ({ payload }) => CurrentProject.use(({ id }) => topics.create(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => topics.get(id, params.topic)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => topics.update(id, params.topic, payload)),
      delete: ({ params }) => CurrentProject.use(({ id }) => topics.delete(id, params.topic)),
      contacts: ({ params, query }) => CurrentProject.use(({ id }) => topicContacts.list(id, params.topic, query)),
      usage: ({ params }) => CurrentProject.use(({ id }) => topics.usage(id, params.topic))
    })
  })
)
