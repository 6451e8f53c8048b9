import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { oneOf, searchOf, text } from "../../app/search.ts"

export const workflowsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/workflows",
  validateSearch: searchOf({
    q: text,
    state: oneOf("active", "disabled"),
    trigger: oneOf("EVENT", "MANUAL", "SCHEDULE"),
    new: oneOf("blank", "welcome", "trial", "winBack")
  }),
  component: lazyRouteComponent(() => import("./WorkflowsPage.tsx"), "WorkflowsPage")
})

export const workflowRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/workflows/$workflowId",
  validateSearch: searchOf({
    tab: oneOf("executions", "versions"),
    view: oneOf("graph", "list"),
    step: text,
    version: text,
    days: oneOf("7", "30", "90"),
    state: oneOf("RUNNING", "WAITING", "COMPLETED", "EXITED", "FAILED", "CANCELLED"),
    execution: text
  }),
  component: lazyRouteComponent(() => import("./WorkflowPage.tsx"), "WorkflowPage")
})

export const workflowRoutes = [workflowsRoute, workflowRoute] as const
