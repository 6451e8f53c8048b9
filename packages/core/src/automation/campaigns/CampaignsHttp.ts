/** Handlers of CampaignsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess, type ProjectSession } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import { type CampaignChange, Campaigns } from "./Campaigns.ts"

const answer = <A>(data: A) => ({ success: true as const, data })
const withMessage = ({ campaign, message }: CampaignChange) => ({ ...answer(campaign), message })

const retriedMessage = (retried: number) =>
  retried === 0
    ? "There is nothing to try again."
    : `${retried} ${retried === 1 ? "mail is" : "mails are"} tried again.`

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "campaigns">,
  never,
  Campaigns | JsonBody | ProjectAccess | ProjectSession | Validation
> = group(
  Api,
  "campaigns",
  Effect.fnUntraced(function* (handlers) {
    const campaigns = yield* Campaigns
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => campaigns.list(id, query)),
      create: ({ payload }) => CurrentProject.use(({ id }) => Effect.map(campaigns.create(id, payload), answer)),
      get: ({ params }) => CurrentProject.use(({ id }) => Effect.map(campaigns.get(id, params.id), answer)),
      update: ({ params, payload }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.update(id, params.id, payload), answer)),
      delete: ({ params }) => CurrentProject.use(({ id }) => campaigns.delete(id, params.id)),
      duplicate: ({ params }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.duplicate(id, params.id), withMessage)),
      followUp: ({ params, payload }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.followUp(id, params.id, payload), answer)),
      send: ({ params, payload }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.send(id, params.id, payload), withMessage)),
      setRecurrence: ({ params, payload }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.setRecurrence(id, params.id, payload), answer)),
      removeRecurrence: ({ params }) => CurrentProject.use(({ id }) => campaigns.removeRecurrence(id, params.id)),
      cancel: ({ params }) => CurrentProject.use(({ id }) => Effect.map(campaigns.cancel(id, params.id), withMessage)),
      pause: ({ params }) => CurrentProject.use(({ id }) => Effect.map(campaigns.pause(id, params.id), withMessage)),
      resume: ({ params }) => CurrentProject.use(({ id }) => Effect.map(campaigns.resume(id, params.id), withMessage)),
      retryFailed: ({ params, payload }) =>
        CurrentProject.use(({ id }) =>
          Effect.map(campaigns.retryFailed(id, params.id, payload), (data) => ({
            ...answer(data),
            message: retriedMessage(data.retried)
          }))
        ),
      test: ({ params, payload }) =>
        CurrentProject.use(({ id }) =>
          Effect.map(campaigns.test(id, params.id, payload), (email) => ({
            ...answer({ email }),
            message: "Test email queued."
          }))
        ),
      experiment: ({ params }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.experiment(id, params.id), answer)),
      decideExperiment: ({ params, payload }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.decideExperiment(id, params.id, payload), answer)),
      requestApproval: ({ params, payload }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.requestApproval(id, params.id, payload), answer)),
      approve: ({ params, payload }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.approve(id, params.id, payload), answer)),
      reject: ({ params, payload }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.reject(id, params.id, payload), answer)),
      stats: ({ params }) => CurrentProject.use(({ id }) => Effect.map(campaigns.stats(id, params.id), answer)),
      links: ({ params, query }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.links(id, params.id, query), answer)),
      report: ({ params, query }) =>
        CurrentProject.use(({ id }) => Effect.map(campaigns.report(id, params.id, query), answer)),
      providers: ({ params }) => CurrentProject.use(({ id }) => Effect.map(campaigns.providers(id, params.id), answer)),
      recipients: ({ params, query }) => CurrentProject.use(({ id }) => campaigns.recipients(id, params.id, query))
    })
  })
)
