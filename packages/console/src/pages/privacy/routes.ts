import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { oneOf, searchOf, text } from "../../app/search.ts"

export const privacyRequestsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/privacy-requests",
  validateSearch: searchOf({
    status: oneOf("UNCONFIRMED", "OPEN", "DONE", "REFUSED", "EXPIRED"),
    type: oneOf("EXPORT", "ERASURE"),
    request: text
  }),
  component: lazyRouteComponent(() => import("./PrivacyRequestsPage.tsx"), "PrivacyRequestsPage")
})

export const privacyRoutes = [privacyRequestsRoute] as const
