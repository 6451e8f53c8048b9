/** The operations that a mounted console may call: those of a project, and what it reads about the person. */
import { Api } from "@posthorn/contract/Api"
import { OwnProject, PathProject, ProjectAccess, ProjectSession } from "@posthorn/contract/platform/Auth"
import { routerConfig } from "@posthorn/core/Http"
import { Context } from "effect"
import { FindMyWay } from "effect/http"

/**
 * `project`: of the project in the path or in the header. `me` and `projects`: answered from what the application says.
 * `open`: needs no project.
 */
type Access = "me" | "open" | "project" | "projects"

export interface ConsoleOperation {
  readonly access: Access
  /** The project that the path names. */
  readonly project: string | undefined
}

/** Accounts, members and payments belong to the application. */
const closedGroups = new Set(["billing", "invitations", "members"])

const others: { readonly [operation: string]: Access } = {
  "users.me": "me",
  "users.projects": "projects",
  "ownProjects.update": "project",
  "ownProjects.regenerateKeys": "project",
  "ownProjects.security": "project",
  "service.config": "open",
  "service.health": "open"
}

interface Found {
  /** Undefined for an operation that the console may not call. */
  readonly access: Access | undefined
  /** The path parameter that names the project. */
  readonly parameter: string | undefined
}

/** Finds an operation as the router of the API does, but for paths with doubled slashes. */
const operations = FindMyWay.make<Found>({ ...routerConfig, ignoreDuplicateSlashes: false })
for (const group of Object.values(Api.groups)) {
  for (const endpoint of Object.values(group.endpoints)) {
    const annotations = Context.merge(group.annotations, endpoint.annotations)
    const takesPerson = endpoint.middlewares.has(ProjectAccess) || endpoint.middlewares.has(ProjectSession)
    const ofProject = takesPerson && !closedGroups.has(group.identifier)
    operations.on(endpoint.method, endpoint.path as FindMyWay.PathInput, {
      access: ofProject ? "project" : others[`${group.identifier}.${endpoint.identifier}`],
      parameter: endpoint.middlewares.has(OwnProject) ? "id" : Context.get(annotations, PathProject)
    })
  }
}

/** The operation of a path without its query. Undefined if there is none, or the console may not call it. */
export const operationOf = (method: string, path: string): ConsoleOperation | undefined => {
  const found = operations.find(method === "HEAD" ? "GET" : method, path)
  if (found?.handler.access === undefined) return undefined
  const { access, parameter } = found.handler
  return { access, project: parameter === undefined ? undefined : found.params[parameter] }
}
