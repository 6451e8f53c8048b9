import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { oneOf, searchOf, text } from "../../app/search.ts"

export const domainsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/domains",
  component: lazyRouteComponent(() => import("./DomainsPage.tsx"), "DomainsPage")
})

export const domainRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/domains/$domainId",
  component: lazyRouteComponent(() => import("./DomainPage.tsx"), "DomainPage")
})

export const providersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/deliverability",
  validateSearch: searchOf({ days: oneOf("7", "30", "90") }),
  component: lazyRouteComponent(() => import("./ProvidersPage.tsx"), "ProvidersPage")
})

export const suppressionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/suppressions",
  validateSearch: searchOf({ q: text, reason: oneOf("HARD_BOUNCE", "COMPLAINT", "MANUAL") }),
  component: lazyRouteComponent(() => import("./SuppressionsPage.tsx"), "SuppressionsPage")
})

export const deliverabilityRoutes = [domainsRoute, domainRoute, providersRoute, suppressionsRoute] as const
