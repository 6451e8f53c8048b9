/** Endpoints of billing. They take a session. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OwnProject } from "../../platform/Auth.ts"
import { Conflict, envelope, ResourceNotFound, ServiceUnavailable } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import {
  BillingConsumption,
  BillingInvoices,
  BillingLimits,
  BillingLink,
  CheckoutCurrency,
  SetBillingLimits
} from "./Billing.ts"

/** Not parsed as an id: the middleware looks it up and answers 404 for any other text. */
const params = { id: Schema.String.annotate({ format: "uuid" }) }
const ofProvider = [envelope(ResourceNotFound), envelope(Conflict), envelope(ServiceUnavailable)] as const

export class BillingApi extends HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.post("checkout", "/:id/checkout", {
      params,
      query: CheckoutCurrency.fields,
      payload: body(CheckoutCurrency),
      success: BillingLink,
      error: ofProvider
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Subscribe",
        description:
          "For OWNER and ADMIN. Returns a page on which to subscribe the project. `currency` is in the query or in the body. 404 with resource `billing` without a payment provider; 409 with reason `already_subscribed`."
      })
    ),
    HttpApiEndpoint.post("portal", "/:id/billing-portal", {
      params,
      success: BillingLink,
      error: ofProvider
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Open the billing portal",
        description:
          "For OWNER and ADMIN. Returns a page with payment methods, invoices and the subscription. 404 with resource `billing` without a payment provider; 409 with reason `no_customer` before the first checkout."
      })
    ),
    HttpApiEndpoint.get("limits", "/:id/billing-limits", { params, success: BillingLimits }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the caps of a project",
        description: "The cap of each category for a period, and its usage so far."
      })
    ),
    HttpApiEndpoint.put("setLimits", "/:id/billing-limits", {
      params,
      payload: body(SetBillingLimits),
      success: BillingLimits
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Set caps",
        description:
          "For OWNER and ADMIN. A request that would exceed a cap is refused as a whole, with 402; reaching the cap exactly is allowed. A cap below the current usage blocks at once, in every process."
      })
    ),
    HttpApiEndpoint.get("consumption", "/:id/billing-consumption", {
      params,
      success: BillingConsumption,
      error: envelope(ServiceUnavailable)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the usage",
        description:
          "In the current period: accepted emails by their source, and inbound mail. Suppressed, cancelled and test mail is not counted."
      })
    ),
    HttpApiEndpoint.get("invoices", "/:id/billing-invoices", {
      params,
      success: BillingInvoices,
      error: envelope(ServiceUnavailable)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List invoices",
        description: "For OWNER and ADMIN. The newest 100; none without a payment provider."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(OwnProject)
  .annotate(OpenApi.Description, "Caps, usage, and the subscription of a project.")
  .prefix("/users/@me/projects") {}
