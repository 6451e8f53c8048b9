import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { oneOf, searchOf, text } from "../../app/search.ts"
import { editorTabs } from "../../editor/tabs.ts"

export const templatesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/templates",
  validateSearch: searchOf({ q: text, type: oneOf("TRANSACTIONAL", "MARKETING", "HEADLESS") }),
  component: lazyRouteComponent(() => import("./TemplatesPage.tsx"), "TemplatesPage")
})

export const piecesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/templates/pieces",
  validateSearch: searchOf({ q: text }),
  component: lazyRouteComponent(() => import("./PiecesPage.tsx"), "PiecesPage")
})

export const pieceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/templates/pieces/$pieceId",
  validateSearch: searchOf({ view: oneOf("details", "versions", "use") }),
  component: lazyRouteComponent(() => import("./PiecePage.tsx"), "PiecePage")
})

export const templateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/templates/$templateId",
  validateSearch: searchOf({
    view: oneOf("details", "versions", "results"),
    tab: oneOf(...editorTabs),
    language: text
  }),
  component: lazyRouteComponent(() => import("./TemplatePage.tsx"), "TemplatePage")
})

export const templateRoutes = [templatesRoute, piecesRoute, pieceRoute, templateRoute] as const
