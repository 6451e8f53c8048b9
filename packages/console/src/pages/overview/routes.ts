import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { flag, oneOf, searchOf, text } from "../../app/search.ts"

export const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  validateSearch: searchOf({ days: oneOf("7", "30", "90"), machines: flag }),
  component: lazyRouteComponent(() => import("./OverviewPage.tsx"), "OverviewPage")
})

export const activityRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/activity",
  validateSearch: searchOf({ type: text, contact: text, days: oneOf("7", "30", "90") }),
  component: lazyRouteComponent(() => import("./ActivityPage.tsx"), "ActivityPage")
})

export const overviewRoutes = [overviewRoute, activityRoute] as const
