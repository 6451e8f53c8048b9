import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { oneOf, searchOf, text } from "../../app/search.ts"

export const keysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/keys",
  validateSearch: searchOf({ key: text }),
  component: lazyRouteComponent(() => import("./KeysPage.tsx"), "KeysPage")
})

export const webhooksRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./WebhooksPage.tsx"), "WebhooksPage")
})

export const webhookRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/webhooks/$webhookId",
  validateSearch: searchOf({ status: oneOf("PENDING", "SUCCEEDED", "FAILED"), delivery: text }),
  component: lazyRouteComponent(() => import("./WebhookPage.tsx"), "WebhookPage")
})

export const transportsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/transports",
  component: lazyRouteComponent(() => import("./TransportsPage.tsx"), "TransportsPage")
})

export const developerRoutes = [keysRoute, webhooksRoute, webhookRoute, transportsRoute] as const
