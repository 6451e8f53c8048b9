/** Handlers of EmailsApi. */
import { Api } from "@posthorn/contract/Api"
import type { EmailContent } from "@posthorn/contract/mail/emails/Email"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { ResourceNotFound } from "@posthorn/contract/platform/Errors"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import { Emails } from "./Emails.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "emails">,
  never,
  Emails | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "emails",
  Effect.fnUntraced(function* (handlers) {
    const emails = yield* Emails
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => emails.list(id, query)),
      get: ({ params }) => CurrentProject.use(({ id }) => emails.get(id, params.id)),
      content: ({ params, query }) =>
        CurrentProject.use(
          ({ id }): Effect.Effect<EmailContent | Uint8Array, ResourceNotFound> =>
            query.format === "raw" ? emails.raw(id, params.id) : emails.content(id, params.id)
        ),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => emails.update(id, params.id, payload)),
      cancel: ({ params }) => CurrentProject.use(({ id }) => emails.cancel(id, params.id)),
      retry: ({ params }) => CurrentProject.use(({ id }) => emails.retry(id, params.id))
    })
  })
)
