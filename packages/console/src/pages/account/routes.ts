import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { rootRoute } from "../../app/routes.ts"
import { signedIn } from "../../app/Start.ts"
import { searchOf, text } from "../../app/search.ts"

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: searchOf({ to: text }),
  component: lazyRouteComponent(() => import("./SignInPage.tsx"), "SignInPage")
})

export const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/projects",
  loader: ({ location }) => signedIn(location.href),
  component: lazyRouteComponent(() => import("./ProjectsPage.tsx"), "ProjectsPage")
})

export const accountRoutes = [signInRoute, projectsRoute] as const
