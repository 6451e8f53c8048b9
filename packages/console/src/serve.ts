/**
 * Serves the console: one page application, its files and the frame of mail previews.
 *
 * The handler takes web requests and knows no server, so any host that speaks `Request` and `Response` can mount it.
 */
import { join } from "node:path"
import { type Build, readBuild, stampOf } from "./serving/Files.ts"
import { previewPage, previewPolicy } from "./serving/Preview.ts"

export interface ConsoleOptions {
  /** The path at which the console is mounted; default `/console`. */
  readonly basePath?: string | undefined
  /** The path before the endpoints of the API; default none. */
  readonly apiBase?: string | undefined
  /** `embedded`: the application signs people in, and the console has no pages for accounts. Default `server`. */
  readonly mode?: "server" | "embedded" | undefined
  /** Whether this is `posthorn dev`; default false. */
  readonly dev?: boolean | undefined
  readonly version?: string | undefined
  /** The name in the title of pages; default `Posthorn`. */
  readonly title?: string | undefined
  /** Where an application signs people in. */
  readonly signInUrl?: string | undefined
  /** Who may show the console in a frame, in the syntax of CSP; nobody by default. */
  readonly frameAncestors?: ReadonlyArray<string> | undefined
  /** The origin of stored images, if it is another one. */
  readonly imageOrigin?: string | undefined
  /** The folder of the build; default: that of this package. */
  readonly folder?: string | undefined
}

/** The answer to a request for the console. Undefined for a path that is not below `basePath`. */
export type ConsoleHandler = (request: Request) => Promise<Response | undefined>

const escaped = (text: string) => text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`)

const common = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin"
}

const nonceOf = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))

const denied = [
  "accelerometer",
  "autoplay",
  "camera",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "screen-wake-lock",
  "usb",
  "xr-spatial-tracking"
]

const permissions = [...denied.map((name) => `${name}=()`), "clipboard-write=(self)"].join(", ")

const indexPolicy = (nonce: string, { frameAncestors = [], imageOrigin }: ConsoleOptions) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:${imageOrigin === undefined ? "" : ` ${imageOrigin}`}`,
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ")}`
  ].join("; ")

const page = (text: string, headers: Record<string, string>, status = 200) =>
  new Response(text, { status, headers: { ...common, "content-type": "text/html; charset=utf-8", ...headers } })

/** Shown while there is no build. It loads itself again, without a script. */
const unbuilt = (dev: boolean) =>
  page(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Posthorn</title></head><body><h1>The console is being built</h1><p>${
      dev
        ? "This page loads again by itself. The first build takes a few seconds."
        : "If this page stays, run npm run build -w @posthorn/console."
    }</p></body></html>`,
    {
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "retry-after": "1"
    },
    503
  )

const notFound = () =>
  page("<!doctype html><title>Not found</title><h1>Not found</h1>", { "cache-control": "no-store" }, 404)

const indexOf = ({ index }: Build, options: ConsoleOptions) => {
  const { basePath = "/console", apiBase = "", mode = "server", dev = false, version = "", title, signInUrl } = options
  const nonce = nonceOf()
  const settings = escaped(JSON.stringify({ basePath, apiBase, mode, dev, version, title, signInUrl }))
  const text = index
    .replace('name="posthorn" content="{}"', () => `name="posthorn" content="${settings}"`)
    .replace('content="" nonce=""', () => `content="${nonce}" nonce="${nonce}"`)
    .replaceAll(/(src|href)="\.\//g, (_, name) => `${name}="${escaped(basePath)}/`)
  return page(text, {
    "cache-control": "no-store",
    "content-security-policy": indexPolicy(nonce, options),
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": permissions
  })
}

const sendFile = async (build: Build, name: string, request: Request) => {
  const file = build.files.get(name)
  if (file === undefined) return notFound()
  const { bytes, encoding } = await file.read(request.headers.get("accept-encoding") ?? "")
  return new Response(bytes, {
    headers: {
      ...common,
      "content-type": file.type,
      "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "Accept-Encoding",
      ...(encoding !== null && { "content-encoding": encoding })
    }
  })
}

const preview = async (url: URL, { frameAncestors }: ConsoleOptions) =>
  page(previewPage, {
    "cache-control": "no-store",
    "content-security-policy": await previewPolicy(url.searchParams.get("images") !== "0", frameAncestors)
  })

/** Names of pages hold dots (`/events/order.paid`), so only files directly below the console or in `assets` are files. */
const isFile = (path: string) => path.startsWith("assets/") || /^[^/]*\.[^/]+$/.test(path)

/** Makes a handler for `GET` and `HEAD`. It looks for a build at each request until there is one. */
export const consoleHandler = (options: ConsoleOptions = {}): ConsoleHandler => {
  const folder = options.folder ?? join(import.meta.dirname, "../dist")
  const { basePath = "/console", dev = false } = options
  let found: Build | undefined
  /** In dev mode a newer build replaces the one before it. */
  const build = () => {
    if (found === undefined || (dev && found.stamp !== stampOf(folder))) found = readBuild(folder)
    return found
  }

  const answer = async (request: Request, url: URL) => {
    const path = url.pathname.slice(basePath.length + 1)
    if (path === "preview.html") return await preview(url, options)
    const ready = build()
    if (ready === undefined) return unbuilt(dev)
    return isFile(path) ? await sendFile(ready, path, request) : indexOf(ready, options)
  }

  return async (request) => {
    const url = new URL(request.url)
    if (url.pathname !== basePath && !url.pathname.startsWith(`${basePath}/`)) return undefined
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response(null, { status: 405, headers: { ...common, allow: "GET, HEAD" } })
    }
    const response = await answer(request, url)
    return request.method === "HEAD" ? new Response(null, response) : response
  }
}
