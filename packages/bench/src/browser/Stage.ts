/** The console as people use it: a server, a browser, and a session of the account whose project is shown. */
import { execFile } from "node:child_process"
import { createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Effect } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { Bench } from "../Bench.ts"
import * as Server from "../processes/Server.ts"
import { attempt, start as startBrowser } from "./Chromium.ts"
import { observe, slow } from "./Vitals.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** The session cookie belongs to the public URL, so the port is known before the server starts. */
const freePort = attempt(
  "a free port",
  () =>
    new Promise<number>((found, failed) => {
      const server = createServer().once("error", failed)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        server.close(() => found(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
)

export interface Visit {
  /** How many times slower the processor of the page is; 1 by default. */
  readonly slower?: number
  /** Without a session. */
  readonly isSignedOut?: boolean
}

export const start = Effect.fnUntraced(function* (row: string, role: "api" | "all" = "api") {
  const { console: seeded } = yield* Bench
  const project = yield* seeded
  // The server shows the build that it finds when it starts.
  yield* attempt("the build of the console", () =>
    promisify(execFile)(process.execPath, [join(root, "packages/console/build/main.ts")])
  )
  const port = yield* freePort
  const url = `http://127.0.0.1:${port}`
  const server = yield* Server.start({
    name: `${row} ${role}`,
    role,
    database: project.url,
    smtp: "smtp://127.0.0.1:1",
    environment: { POSTHORN_PORT: String(port), POSTHORN_PUBLIC_URL: url, POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
  })
  const browser = yield* startBrowser
  const newContext = (storage?: Awaited<ReturnType<BrowserContext["storageState"]>>) =>
    browser.newContext({
      locale: "en-US",
      timezoneId: "UTC",
      viewport: { width: 1280, height: 800 },
      ...(storage !== undefined && { storageState: storage })
    })
  const session = yield* attempt("signing in", async () => {
    const context = await newContext()
    const { email, password } = project
    const response = await context.request.post(`${url}/auth/login`, { data: { email, password } })
    if (!response.ok()) throw new Error(`${response.status()} ${await response.text()}`)
    const storage = await context.storageState()
    await context.close()
    return storage
  })
  const visit = <A>(what: string, { slower = 1, isSignedOut = false }: Visit, look: (page: Page) => Promise<A>) =>
    attempt(what, async () => {
      const context = await newContext(isSignedOut ? undefined : session)
      try {
        const page = await context.newPage()
        await observe(page)
        if (slower !== 1) await slow(page, slower)
        return await look(page)
      } finally {
        await context.close()
      }
    })
  return { url, at: (path: string) => `${url}/console/p/${project.id}${path}`, project, server, visit }
})
export type Stage = Effect.Success<ReturnType<typeof start>>
