import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { oneOf, searchOf, text } from "../../app/search.ts"

export const segmentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/segments",
  validateSearch: searchOf({ q: text, type: oneOf("DYNAMIC", "STATIC") }),
  component: lazyRouteComponent(() => import("./SegmentsPage.tsx"), "SegmentsPage")
})

export const newSegmentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/segments/new",
  component: lazyRouteComponent(() => import("./NewSegmentPage.tsx"), "NewSegmentPage")
})

export const segmentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/segments/$segmentId",
  validateSearch: searchOf({ tab: oneOf("members"), q: text }),
  component: lazyRouteComponent(() => import("./SegmentPage.tsx"), "SegmentPage")
})

export const segmentRoutes = [segmentsRoute, newSegmentRoute, segmentRoute] as const
