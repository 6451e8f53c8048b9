/** Paths of pages, for places that take a path and not a link, such as the rows of a table. */
import { deployment } from "./Deployment.ts"
import { stringifySearch } from "./search.ts"

/** `pathOf(project.id, "mails", mail.id)` */
export const pathOf = (projectId: string, ...parts: ReadonlyArray<string>): string =>
  ["/p", projectId, ...parts.map(encodeURIComponent)].join("/")

/** A path with the base path, as it stands in the address bar. */
export const hrefOf = (path: string, search: Record<string, unknown> = {}): string =>
  deployment.basePath + path + stringifySearch(search)

/** A path of the console without the base path, if the text is one. Anything else is ignored. */
export const safePath = (given: string | undefined): string =>
  given !== undefined && /^\/(?![/\\])/.test(given) ? given : "/"
