/** Handlers of BillingApi. */
import { Api } from "@posthorn/contract/Api"
import type { billingCategories } from "@posthorn/contract/accounts/billing/Billing"
import { CurrentProject, CurrentUser, type OwnProject } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import { Billing } from "./Billing.ts"
import { usedOf } from "./BillingStore.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { warningPercent } from "./Warnings.ts"

const limitOf = (limit: number | null, usage: number) => {
  const percentage = limit === null ? 0 : Math.floor((usage * 100) / limit)
  return {
    limit,
    usage,
    percentage,
    isWarning: percentage >= warningPercent,
    isBlocked: limit !== null && usage >= limit
  }
}

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "billing">,
  never,
  Billing | JsonBody | OwnProject | Subscriptions | Validation
> = group(
  Api,
  "billing",
  Effect.fnUntraced(function* (handlers) {
    const billing = yield* Billing
    const subscriptions = yield* Subscriptions

    const limits = Effect.gen(function* () {
      const { id } = yield* CurrentProject
      const { caps, usage } = yield* billing.currentUsage(id)
      const of = (category: (typeof billingCategories)[number]) =>
        limitOf(caps.find((cap) => cap.category === category)?.limit ?? null, usage[category])
      return {
        workflows: of("workflows"),
        campaigns: of("campaigns"),
        transactional: of("transactional"),
        inbound: of("inbound"),
        currency: yield* subscriptions.currency(id)
      }
    })

    return handlers.handleAll({
      checkout: Effect.fnUntraced(function* ({ query, payload }) {
        const { id } = yield* CurrentProject
        const { email } = yield* CurrentUser
        return yield* subscriptions.checkout(id, email, query.currency ?? payload.currency ?? "usd")
      }),
      portal: () => CurrentProject.use(({ id }) => subscriptions.portal(id)),
      limits: () => limits,
      setLimits: ({ payload }) =>
        CurrentProject.use(({ id }) => Effect.andThen(billing.setLimits(id, payload), limits)),
      consumption: Effect.fnUntraced(function* () {
        const { id } = yield* CurrentProject
        const { period, usage } = yield* billing.currentUsage(id)
        const records = (["campaigns", "transactional", "workflows", "inbound"] as const).map((category) => ({
          category,
          count: usage[category]
        }))
        return { period, usage: { total: usedOf(usage, "total"), records }, ...(yield* subscriptions.money(id)) }
      }),
      invoices: () => CurrentProject.use(({ id }) => subscriptions.invoices(id))
    })
  })
)
