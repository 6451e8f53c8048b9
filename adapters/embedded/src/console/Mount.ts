/** The console at a path of the application: its pages, and the API below `<basePath>/api`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { createRequire } from "node:module"
import { PackageMissing } from "@posthorn/platform-node/OptionalPackage"
import { Predicate } from "effect"
import type { Origin } from "../FetchHandler.ts"
import { type ConsoleOptions, checked } from "./ConsoleOptions.ts"

/** The console of `posthorn.console()`, for the routes of the application. */
export interface MountedConsole {
  /** For servers with `Request` and `Response`. The path of a request may lack `basePath`, which some routers remove. */
  readonly fetch: (request: Request, from?: { readonly address?: string | undefined }) => Promise<Response>
  /** For Node's HTTP server and frameworks that use it. Resolves when the response is sent, and never rejects. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

type Pages = (request: Request) => Promise<Response | undefined>

const name = "@posthorn/console"

/** Throws the sentence that says what to install. */
const requirePackage = () => {
  try {
    createRequire(import.meta.url).resolve(name)
  } catch (error) {
    const isMissing = Predicate.hasProperty(error, "code") && error.code === "MODULE_NOT_FOUND"
    throw isMissing ? new PackageMissing({ name, purpose: "posthorn.console()" }) : error
  }
}

/** What a mount needs from its Posthorn. */
export interface MountHost {
  readonly publicUrl: string
  readonly answer: (request: Request, origin: Origin) => Promise<Response>
}

export const mount = (given: ConsoleOptions, { answer, publicUrl }: MountHost) => {
  const options = checked(given)
  const { authorize, basePath, frameAncestors, signInUrl, title } = options
  requirePackage()
  let pages: Promise<Pages> | undefined
  const load = async (): Promise<Pages> => {
    const { consoleHandler } = await import("@posthorn/console")
    return consoleHandler({
      basePath,
      apiBase: `${basePath}/api`,
      mode: "embedded",
      title,
      signInUrl,
      frameAncestors,
      imageOrigin: new URL(publicUrl).origin
    })
  }

  /** The path below the mount, with the query. */
  const below = ({ pathname, search }: URL) => {
    const isWhole = pathname === basePath || pathname.startsWith(`${basePath}/`)
    return (isWhole ? pathname.slice(basePath.length) : pathname) + search
  }

  return async (request: Request, address?: string, incoming?: IncomingMessage): Promise<Response> => {
    const url = new URL(request.url)
    const path = below(url)
    const [, call] = /^\/api(?=[/?]|$)(.*)$/s.exec(path) ?? []
    if (call !== undefined) {
      const console = { request, incoming, authorize, path: call.startsWith("/") ? call : `/${call}` }
      return answer(request, { address, console })
    }
    pages ??= load()
    const { headers, method } = request
    const page = new Request(new URL(basePath + path, url.origin), { method, headers })
    return (await (await pages)(page)) ?? new Response(null, { status: 404 })
  }
}
