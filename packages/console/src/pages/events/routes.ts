import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { oneOf, searchOf } from "../../app/search.ts"

export const eventsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/events",
  validateSearch: searchOf({ source: oneOf("system", "all") }),
  component: lazyRouteComponent(() => import("./EventsPage.tsx"), "EventsPage")
})

export const eventRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/events/$eventName",
  validateSearch: searchOf({ days: oneOf("7", "30", "90") }),
  component: lazyRouteComponent(() => import("./EventPage.tsx"), "EventPage")
})

export const eventRoutes = [eventsRoute, eventRoute] as const
