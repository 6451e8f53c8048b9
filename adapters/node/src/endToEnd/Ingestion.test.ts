/** The libraries of Segment, RudderStack and Jitsu, unchanged, in Node.js and in a browser, against a server. */
import { createServer } from "node:http"
import { assert, describe, layer } from "@effect/vitest"
import { jitsuAnalytics } from "@jitsu/js"
import RudderAnalytics from "@rudderstack/rudder-sdk-node"
import { Analytics } from "@segment/analytics-node"
import { Context, Effect, Layer, Schema } from "effect"
import type { Page } from "playwright-core"
import { rolldown } from "rolldown"
import { freePort } from "../testing/Forwarder.ts"
import { type Ended, eventually } from "../testing/Program.ts"
import { Browser, layer as browser } from "./testing/Browser.ts"
import { browserProgram } from "./testing/BrowserPresence.ts"
import { type Caller, succeed } from "./testing/Caller.ts"
import { install } from "./testing/Installation.ts"
import { Shop, shop } from "./testing/Shop.ts"

const Events = Schema.Struct({
  data: Schema.Array(Schema.Struct({ contact: Schema.Struct({ email: Schema.String }), data: Schema.Unknown }))
})

/** The events of a name, once there are some. */
const tracked = Effect.fnUntraced(function* (caller: Caller, name: string, count = 1) {
  const { data } = yield* eventually(
    succeed(200, Events, caller, "GET", `/events?eventName=${name}`),
    ({ data }) => data.length >= count
  )
  return data.map(({ contact, data }) => [contact.email, data])
})

/** A server at its public URL: the settings that libraries in browsers ask for name that URL. */
class Site extends Context.Service<Site, Caller>()("@posthorn/node/endToEnd/Ingestion/Site") {}

const site: Layer.Layer<Site, Ended> = Layer.effect(
  Site,
  Effect.gen(function* () {
    const { account, serve } = yield* install
    const keys = yield* account("ingestion")
    const port = yield* freePort
    const { url } = yield* serve({
      POSTHORN_PUBLIC_URL: `http://127.0.0.1:${port}`,
      POSTHORN_PORT: String(port),
      POSTHORN_SMTP_URL: "smtp://127.0.0.1:9"
    })
    return { url, ...keys }
  })
)

const entry = `${import.meta.dirname}/page.js`

/** A page of another origin that runs the script. */
const pageWith = Effect.fnUntraced(function* (source: string) {
  const code = yield* Effect.promise(async () => {
    const bundle = await rolldown({
      input: "page",
      platform: "browser",
      plugins: [
        {
          name: "page",
          resolveId: (id: string) => (id === "page" ? entry : null),
          // Libraries have files called `page.js` too.
          load: (id: string) => (id === entry ? source : null)
        }
      ],
      logLevel: "silent"
    })
    const { output } = await bundle.generate({ format: "iife", codeSplitting: false })
    return output[0].code
  })
  const server = yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const made = createServer((request, response) => {
            const isScript = request.url === "/page.js"
            response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8")
            response.end(isScript ? code : "<!doctype html><title>Shop</title><script src=/page.js></script>")
          }).listen(0, "127.0.0.1", () => resolve(made))
        })
    ),
    (made) => Effect.promise(() => new Promise((resolve) => made.close(resolve)))
  )
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
})

/** Opens such a page, and waits for what it sends. */
const open = Effect.fnUntraced(function* (source: string, look?: (tab: Page) => Promise<void>) {
  const { visit } = yield* Browser
  const page = yield* pageWith(source)
  yield* visit({}, async (tab) => {
    await tab.goto(page)
    await look?.(tab)
    await tab.waitForTimeout(3_000)
  })
})

describe("ingestion", () => {
  layer(shop, { timeout: "120 seconds", excludeTestServices: true })("by libraries in Node.js", (it) => {
    it.effect("@segment/analytics-node", () =>
      Effect.gen(function* () {
        const { caller } = yield* Shop
        const analytics = new Analytics({
          writeKey: caller.secretKey,
          host: caller.url,
          path: "/ingest/v1/batch"
        })
        analytics.identify({ userId: "s1", traits: { email: "segment@example.com", plan: "pro" } })
        analytics.track({ userId: "s1", event: "segment order", properties: { amount: 5 } })
        yield* Effect.promise(() => analytics.closeAndFlush())
        assert.deepStrictEqual(yield* tracked(caller, "segment%20order"), [["segment@example.com", { amount: 5 }]])
      })
    )

    it.effect("@rudderstack/rudder-sdk-node", () =>
      Effect.gen(function* () {
        const { caller } = yield* Shop
        const analytics = new RudderAnalytics(caller.secretKey, { dataPlaneUrl: `${caller.url}/ingest` })
        analytics.identify({ userId: "r1", traits: { email: "rudder@example.com" } })
        analytics.track({ userId: "r1", event: "rudder order", properties: { amount: 6 } })
        yield* Effect.promise(() => analytics.flush())
        assert.deepStrictEqual(yield* tracked(caller, "rudder%20order"), [["rudder@example.com", { amount: 6 }]])
      })
    )

    it.effect("@jitsu/js", () =>
      Effect.gen(function* () {
        const { caller } = yield* Shop
        const analytics = jitsuAnalytics({ host: `${caller.url}/ingest`, writeKey: `${caller.secretKey}:x` })
        yield* Effect.promise(async () => {
          await analytics.identify("j1", { email: "jitsu@example.com" })
          await analytics.track("jitsu order", { amount: 7 })
        })
        const [found] = yield* tracked(caller, "jitsu%20order")
        assert.strictEqual(found?.[0], "jitsu@example.com")
      })
    )
  })
})

describe.skipIf(browserProgram === undefined)("ingestion in a browser", () => {
  layer(Layer.merge(browser, site), { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect("@rudderstack/analytics-js", () =>
      Effect.gen(function* () {
        const caller = yield* Site
        yield* open(`
          import { RudderAnalytics } from "@rudderstack/analytics-js/bundled"
          const analytics = new RudderAnalytics()
          analytics.load("${caller.publicKey}", "${caller.url}/ingest", { configUrl: "${caller.url}/ingest" })
          analytics.identify("b1", { email: "bundle@example.com" })
          analytics.track("bundle order", { amount: 9 })`)
        assert.deepStrictEqual(yield* tracked(caller, "bundle%20order"), [["bundle@example.com", { amount: 9 }]])
      })
    )

    it.effect("@segment/analytics-next", () =>
      Effect.gen(function* () {
        const caller = yield* Site
        yield* open(`
          import { AnalyticsBrowser } from "@segment/analytics-next"
          const analytics = AnalyticsBrowser.load({ writeKey: "${caller.publicKey}", cdnURL: "${caller.url}/ingest" })
          analytics.identify("n1", { email: "next@example.com" })
          analytics.track("next order", { amount: 8 })
          analytics.page("Shop", "Start")`)
        assert.deepStrictEqual(yield* tracked(caller, "next%20order"), [["next@example.com", { amount: 8 }]])
        assert.lengthOf(yield* tracked(caller, "page"), 1)
      })
    )

    it.effect("@segment/analytics-next, in batches that leave with the page", () =>
      Effect.gen(function* () {
        const caller = yield* Site
        yield* open(
          `
          import { AnalyticsBrowser } from "@segment/analytics-next"
          const deliveryStrategy = { strategy: "batching", config: { size: 100, timeout: 60_000 } }
          const analytics = AnalyticsBrowser.load(
            { writeKey: "${caller.publicKey}", cdnURL: "${caller.url}/ingest" },
            { integrations: { "Segment.io": { deliveryStrategy } } })
          analytics.identify("n2", { email: "batch@example.com" })
          analytics.track("batch order", { amount: 1 })
          analytics.track("batch order", { amount: 2 })
          analytics.ready(() => setTimeout(() => { document.title = "ready" }, 500))`,
          async (tab) => {
            await tab.waitForFunction("document.title === 'ready'")
            await tab.goto("about:blank")
          }
        )
        const found = yield* tracked(caller, "batch%20order", 2)
        assert.sameDeepMembers(found, [
          ["batch@example.com", { amount: 1 }],
          ["batch@example.com", { amount: 2 }]
        ])
      })
    )
  })
})
