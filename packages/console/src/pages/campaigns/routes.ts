import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { oneOf, searchOf, text } from "../../app/search.ts"
import { editorTabs } from "../../editor/tabs.ts"
import { emailStatuses } from "../../kit/EmailState.tsx"

export const campaignStatuses = ["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"] as const

export const campaignsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/campaigns",
  validateSearch: searchOf({ q: text, state: oneOf(...campaignStatuses), view: oneOf("calendar"), month: text }),
  component: lazyRouteComponent(() => import("./CampaignsPage.tsx"), "CampaignsPage")
})

export const campaignRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/campaigns/$campaignId",
  validateSearch: searchOf({ q: text, state: oneOf(...emailStatuses) }),
  component: lazyRouteComponent(() => import("./CampaignPage.tsx"), "CampaignPage")
})

export const composeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/campaigns/$campaignId/edit",
  validateSearch: searchOf({ tab: oneOf(...editorTabs) }),
  component: lazyRouteComponent(() => import("./ComposePage.tsx"), "ComposePage")
})

export const campaignRoutes = [campaignsRoute, campaignRoute, composeRoute] as const
