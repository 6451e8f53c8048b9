import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { flag, oneOf, searchOf } from "../../app/search.ts"

export const topicsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/topics",
  validateSearch: searchOf({ archived: flag }),
  component: lazyRouteComponent(() => import("./TopicsPage.tsx"), "TopicsPage")
})

export const topicRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/topics/$topicId",
  validateSearch: searchOf({ tab: oneOf("contacts"), state: oneOf("subscribed", "unsubscribed", "pending") }),
  component: lazyRouteComponent(() => import("./TopicPage.tsx"), "TopicPage")
})

export const topicRoutes = [topicsRoute, topicRoute] as const
