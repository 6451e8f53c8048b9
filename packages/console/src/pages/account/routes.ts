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

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  validateSearch: searchOf({ invitation: text, email: text }),
  component: lazyRouteComponent(() => import("./SignUpPage.tsx"), "SignUpPage")
})

export const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/forgot",
  component: lazyRouteComponent(() => import("./ForgotPage.tsx"), "ForgotPage")
})

export const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/projects",
  loader: ({ location }) => signedIn(location.href),
  component: lazyRouteComponent(() => import("./ProjectsPage.tsx"), "ProjectsPage")
})

export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/account",
  loader: ({ location }) => signedIn(location.href),
  component: lazyRouteComponent(() => import("./AccountPage.tsx"), "AccountPage")
})

export const accountRoutes = [signInRoute, signUpRoute, forgotRoute, projectsRoute, accountRoute] as const
