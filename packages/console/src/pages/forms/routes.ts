import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"

export const formsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/forms",
  component: lazyRouteComponent(() => import("./FormsPage.tsx"), "FormsPage")
})

export const formRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/forms/$formId",
  component: lazyRouteComponent(() => import("./FormPage.tsx"), "FormPage")
})

export const formRoutes = [formsRoute, formRoute] as const
