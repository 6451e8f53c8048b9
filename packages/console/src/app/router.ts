import { createRouter } from "@tanstack/react-router"
import { accountRoute, accountRoutes, forgotRoute, signUpRoute } from "../pages/account/routes.ts"
import { campaignRoutes } from "../pages/campaigns/routes.ts"
import { contactRoutes } from "../pages/contacts/routes.ts"
import { deliverabilityRoutes } from "../pages/deliverability/routes.ts"
import { developerRoutes } from "../pages/developers/routes.ts"
import { eventRoutes } from "../pages/events/routes.ts"
import { formRoutes } from "../pages/forms/routes.ts"
import { mailRoutes } from "../pages/mails/routes.ts"
import { overviewRoutes } from "../pages/overview/routes.ts"
import { privacyRoutes } from "../pages/privacy/routes.ts"
import { segmentRoutes } from "../pages/segments/routes.ts"
import { billingRoute, membersRoute, settingsRoutes } from "../pages/settings/routes.ts"
import { templateRoutes } from "../pages/templates/routes.ts"
import { topicRoutes } from "../pages/topics/routes.ts"
import { workflowRoutes } from "../pages/workflows/routes.ts"
import { deployment } from "./Deployment.ts"
import { ErrorPage, NotFoundPage } from "./ErrorPage.tsx"
import { homeRoute, projectRoute, rootRoute } from "./routes.ts"
import { parseSearch, stringifySearch } from "./search.ts"

/** Pages of accounts, members and payments, which belong to the application that embeds the console. */
const serverOnly = new Set<unknown>([signUpRoute, forgotRoute, accountRoute, membersRoute, billingRoute])

/** The type stays whole, so that links to all pages are checked. */
const shown = <Routes extends ReadonlyArray<unknown>>(routes: Routes): Routes => {
  const embedded: ReadonlyArray<unknown> = routes.filter((route) => !serverOnly.has(route))
  return deployment.mode === "server" ? routes : (embedded as Routes)
}

const routeTree = rootRoute.addChildren([
  homeRoute,
  ...shown(accountRoutes),
  projectRoute.addChildren([
    ...overviewRoutes,
    ...mailRoutes,
    ...segmentRoutes,
    ...topicRoutes,
    ...formRoutes,
    ...privacyRoutes,
    ...workflowRoutes,
    ...campaignRoutes,
    ...contactRoutes,
    ...templateRoutes,
    ...eventRoutes,
    ...deliverabilityRoutes,
    ...developerRoutes,
    ...shown(settingsRoutes)
  ])
])

export const router = createRouter({
  routeTree,
  basepath: deployment.basePath,
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
