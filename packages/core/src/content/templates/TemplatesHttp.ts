/** Handlers of TemplatesApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import { LinkTotals } from "../links/LinkTotals.ts"
import { textsOf } from "../links/SourceLinks.ts"
import { TemplateMail } from "./TemplateMail.ts"
import { Templates } from "./Templates.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "templates">,
  never,
  JsonBody | LinkTotals | ProjectAccess | TemplateMail | Templates | Validation
> = group(
  Api,
  "templates",
  Effect.fnUntraced(function* (handlers) {
    const mail = yield* TemplateMail
    const templates = yield* Templates
    const totals = yield* LinkTotals
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => templates.list(id, query)),
      create: ({ payload }) => CurrentProject.use(({ id }) => templates.create(id, payload)),
      render: ({ params, payload }) => CurrentProject.use(({ id }) => mail.preview(id, params.id, payload)),
      renderTexts: ({ payload }) => CurrentProject.use(({ id }) => mail.previewTexts(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => templates.get(id, params.id)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => templates.update(id, params.id, payload)),
      delete: ({ params }) => CurrentProject.use(({ id }) => templates.delete(id, params.id)),
      duplicate: ({ params }) => CurrentProject.use(({ id }) => templates.duplicate(id, params.id)),
      links: ({ params }) =>
        CurrentProject.use(({ id }) =>
          Effect.flatMap(templates.get(id, params.id), (template) =>
            totals.links(id, params.id, {
              id: params.id,
              content: { texts: textsOf(template), layout: template.layout }
            })
          )
        ),
      stats: ({ params }) =>
        CurrentProject.use(({ id }) =>
          Effect.flatMap(templates.get(id, params.id), ({ createdAt }) => totals.results(id, params.id, createdAt))
        ),
      test: ({ params, payload }) =>
        CurrentProject.use(({ id }) =>
          Effect.map(mail.sendTest(id, params.id, payload), (email) => ({
            success: true as const,
            data: { email },
            message: "Test email queued."
          }))
        ),
      usage: ({ params }) => CurrentProject.use(({ id }) => templates.usage(id, params.id)),
      versions: ({ params, query }) => CurrentProject.use(({ id }) => templates.versions(id, params.id, query)),
      version: ({ params }) => CurrentProject.use(({ id }) => templates.version(id, params.id, params.version)),
      restore: ({ params, payload }) =>
        CurrentProject.use(({ id }) => templates.restore(id, params.id, params.version, payload)),
      draft: ({ params }) => CurrentProject.use(({ id }) => templates.draft(id, params.id)),
      saveDraft: ({ params, payload }) => CurrentProject.use(({ id }) => templates.saveDraft(id, params.id, payload)),
      deleteDraft: ({ params }) => CurrentProject.use(({ id }) => templates.deleteDraft(id, params.id)),
      publish: ({ params, payload }) => CurrentProject.use(({ id }) => templates.publish(id, params.id, payload))
    })
  })
)
