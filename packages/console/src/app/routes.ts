/** The routes that stand above all pages. Areas add theirs in `pages/<area>/routes.ts`, and `router.ts` joins them. */
import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router"
import { ErrorPage, NotFoundPage } from "./ErrorPage.tsx"
import { openProject, signedIn } from "./Start.ts"

export const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage
})

/** Leads to the project that was open last. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: async ({ location }) => {
    const { projects } = await signedIn(location.href)
    const last = localStorage.getItem("posthorn.project")
    const project = projects.find(({ id }) => id === last) ?? projects[0]
    throw project === undefined
      ? redirect({ to: "/projects", replace: true })
      : redirect({ to: "/p/$projectId", params: { projectId: project.id }, replace: true })
  }
})

/** The frame around the pages of a project. */
export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/p/$projectId",
  loader: ({ params, location }) => openProject(params.projectId, location.href),
  component: lazyRouteComponent(() => import("./Shell.tsx"), "ProjectShell"),
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage
})
