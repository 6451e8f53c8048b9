import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { searchOf, text } from "../../app/search.ts"

export const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("./SettingsPage.tsx"), "SettingsPage")
})

export const audienceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/settings/audience",
  component: lazyRouteComponent(() => import("./AudiencePage.tsx"), "AudiencePage")
})

export const membersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/settings/members",
  component: lazyRouteComponent(() => import("./MembersPage.tsx"), "MembersPage")
})

export const billingRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/settings/billing",
  component: lazyRouteComponent(() => import("./BillingPage.tsx"), "BillingPage")
})

export const auditRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/settings/audit",
  validateSearch: searchOf({ action: text, from: text, to: text }),
  component: lazyRouteComponent(() => import("./AuditPage.tsx"), "AuditPage")
})

export const settingsRoutes = [settingsRoute, audienceRoute, membersRoute, billingRoute, auditRoute] as const
