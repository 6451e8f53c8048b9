/** Handlers of EmailsApi. */
import { Api } from "@posthorn/contract/Api"
import type { EmailContent, EmailId } from "@posthorn/contract/mail/emails/Email"
import { Actor, apiKeyOf, CurrentProject, type ProjectAccess, type ProjectId } from "@posthorn/contract/platform/Auth"
import type { ResourceNotFound } from "@posthorn/contract/platform/Errors"
import type { Idempotent, JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { withRetryAfter } from "../../accounts/people/AuthHttp.ts"
import { group } from "../../platform/http/RequestContext.ts"
import { Sending } from "../sending/Sending.ts"
import * as Emails from "./Emails.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "emails">,
  never,
  Emails.Needs | Idempotent | JsonBody | ProjectAccess | Sending | Validation
> = group(
  Api,
  "emails",
  Effect.fnUntraced(function* (handlers) {
    const emails = yield* Emails.make
    const sending = yield* Sending
    const isOfTests = Effect.map(Actor, (actor) => apiKeyOf(actor)?.mode === "TEST")

    /** An API key of test mode finds only mail of test mode. */
    const on = Effect.fnUntraced(function* <A, E>(id: EmailId, use: (project: ProjectId) => Effect.Effect<A, E>) {
      const { id: project } = yield* CurrentProject
      if (yield* isOfTests) yield* emails.requireTest(project, id)
      return yield* use(project)
    })

    return handlers.handleAll({
      send: Effect.fnUntraced(function* ({ payload }) {
        const { id } = yield* CurrentProject
        const data = yield* withRetryAfter(sending.send(id, payload, apiKeyOf(yield* Actor)))
        return { success: true as const, data }
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const { id } = yield* CurrentProject
        return yield* emails.list(id, (yield* isOfTests) ? { ...query, mode: "TEST" } : query)
      }),
      get: ({ params: { id } }) => on(id, (project) => emails.get(project, id)),
      content: ({ params: { id }, query }) =>
        on(
          id,
          (project): Effect.Effect<EmailContent | Uint8Array, ResourceNotFound> =>
            query.format === "raw" ? emails.raw(project, id) : emails.content(project, id)
        ),
      update: ({ params: { id }, payload }) => on(id, (project) => emails.update(project, id, payload)),
      cancel: ({ params: { id } }) => on(id, (project) => emails.cancel(project, id)),
      retry: ({ params: { id } }) => on(id, (project) => emails.retry(project, id))
    })
  })
)
