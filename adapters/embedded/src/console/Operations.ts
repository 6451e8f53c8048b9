/** The operations that a mounted console may call: those of a project, and what it reads about the person. */
import { Api } from "@posthorn/contract/Api"
import { OwnProject, PathProject, ProjectAccess } from "@posthorn/contract/platform/Auth"
import { Context } from "effect"

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
  readonly segments: ReadonlyArray<string>
  /** The path parameter that names the project. */
  readonly parameter: string | undefined
}

interface Node {
  readonly fixed: Map<string, Node>
  any?: Node
  found?: Found
}

const newNode = (): Node => ({ fixed: new Map() })

const segmentsOf = (path: string): ReadonlyArray<string> => path.replace(/^\/|\/$/g, "").split("/")

const operations: ReadonlyArray<Found & { readonly method: string }> = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map((endpoint) => {
    const annotations = Context.merge(group.annotations, endpoint.annotations)
    const ofProject = endpoint.middlewares.has(ProjectAccess) && !closedGroups.has(group.identifier)
    return {
      method: endpoint.method,
      segments: segmentsOf(endpoint.path),
      access: ofProject ? "project" : others[`${group.identifier}.${endpoint.identifier}`],
      parameter: endpoint.middlewares.has(OwnProject) ? "id" : Context.get(annotations, PathProject)
    }
  })
)

const trees = new Map<string, Node>()
for (const { method, ...found } of operations) {
  let node = trees.get(method) ?? newNode()
  trees.set(method, node)
  for (const segment of found.segments) {
    const next = (segment.startsWith(":") ? node.any : node.fixed.get(segment)) ?? newNode()
    if (segment.startsWith(":")) node.any = next
    else node.fixed.set(segment, next)
    node = next
  }
  node.found = found
}

/** Fixed names come before parameters, as in the router. */
const search = (node: Node, segments: ReadonlyArray<string>, at = 0): Found | undefined => {
  const segment = segments[at]
  if (segment === undefined) return node.found
  const fixed = node.fixed.get(segment)
  const found = fixed && search(fixed, segments, at + 1)
  return found ?? (node.any && segment !== "" ? search(node.any, segments, at + 1) : undefined)
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** More segments than any path of the API has. */
const mostSegments = 12

/** The operation of a path without its query. Undefined if there is none, or the console may not call it. */
export const operationOf = (method: string, path: string): ConsoleOperation | undefined => {
  const tree = trees.get(method === "HEAD" ? "GET" : method)
  const segments = segmentsOf(path).map(decode)
  if (tree === undefined || segments.length > mostSegments) return undefined
  const known = segments.filter((segment) => segment !== undefined)
  const found = known.length === segments.length ? search(tree, known) : undefined
  if (found?.access === undefined) return undefined
  const { access, parameter } = found
  return { access, project: parameter === undefined ? undefined : known[found.segments.indexOf(`:${parameter}`)] }
}
