/** The live stream of the console, in a browser against a development server. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { browserProgram, launch, looks, visit } from "../testing/Browser.ts"
import { type DevServer, startDevServer } from "../testing/DevServer.ts"

/** The requests of all tabs to the API, as they are sent. */
const countRequests = (context: BrowserContext) => {
  const seen: Array<string> = []
  context.on("request", (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith("/console")) seen.push(`${request.method()} ${pathname}`)
  })
  return {
    all: seen,
    streams: () => seen.filter((each) => each === "GET /live").length
  }
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

const waitFor = async (what: string, isSo: () => boolean | Promise<boolean>, most = 20_000) => {
  for (let waited = 0; waited < most; waited += 100) {
    if (await isSo()) return
    await pause(100)
  }
  assert.fail(`In vain: ${what}`)
}

describe.skipIf(browserProgram === undefined)("the live stream in the console", () => {
  let server: DevServer
  let browser: Browser

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const track = async (event: string) => {
    const { status } = await server.call("POST", "/events/track", { email: "ada@example.com", event })
    assert.isBelow(status, 300)
  }
  const shows = (page: Page, text: string) => page.getByText(text).first().waitFor({ timeout: 20_000 })

  it("is one for two tabs, shows an event within three seconds, and moves to the other tab", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context, go }) => {
      const requests = countRequests(context)
      await go("/activity")
      await waitFor("a stream", () => requests.streams() === 1)
      const other = await context.newPage()
      await other.goto(`${server.url}/console/p/${server.projectId}/activity`)
      await other.getByRole("heading", { level: 1, name: "Activity" }).waitFor()
      await pause(3_000)
      assert.strictEqual(requests.streams(), 1)

      await track("first_of_all")
      const at = Date.now()
      await Promise.all([shows(page, "first_of_all"), shows(other, "first_of_all")])
      assert.isBelow(Date.now() - at, 3_000)
      assert.strictEqual(requests.streams(), 1)

      await page.close()
      await waitFor("the stream of the other tab", () => requests.streams() === 2)
      await track("second_of_all")
      await shows(other, "second_of_all")
      assert.strictEqual(requests.streams(), 2)
    })
  })

  it("asks nothing for pages that are open and idle", async () => {
    await visit(browser, server, looks["desk-light"], async ({ context, go, page }) => {
      await context.clock.install()
      await go("")
      const others = ["/mails", "/campaigns", "/domains", "/keys", "/webhooks", "/events", "/segments", "/transports"]
      for (const path of others) {
        const tab = await context.newPage()
        await tab.goto(`${server.url}/console/p/${server.projectId}${path}`)
        await tab.getByRole("heading", { level: 1 }).waitFor()
      }
      await page.bringToFront()
      await pause(10_000)
      const requests = countRequests(context)
      // Together longer than the longest time between two reads without a stream. Between them the service, which sends
      // something every 15 seconds, keeps the stream open: a silence of 45 seconds ends it.
      await context.clock.fastForward(25_000)
      await pause(16_000)
      await context.clock.fastForward(25_000)
      await pause(2_000)
      assert.deepStrictEqual(requests.all, [])
    })
  })

  it("counts what is new in a list that is scrolled, and shows it on request", async () => {
    const send = async (from: number, count: number) => {
      for (let n = from; n < from + count; n++) {
        const { status } = await server.call("POST", "/v1/send", {
          to: `reader${n}@example.com`,
          from: `hello@${server.domain}`,
          subject: `Number ${n}`,
          body: "<p>Hi</p>"
        })
        assert.strictEqual(status, 200)
      }
    }
    await send(0, 60)
    await visit(browser, server, looks["desk-light"], async ({ page, go, context }) => {
      const requests = countRequests(context)
      await go("/mails")
      await waitFor("a stream", () => requests.streams() === 1)
      await page.getByText("Number 30").waitFor()
      // Over the list: the navigation beside it scrolls by itself.
      await page.mouse.move(720, 450)
      await page.mouse.wheel(0, 1_200)
      await waitFor("the scroll", async () => Number(await page.evaluate("window.scrollY")) > 500)
      const place = await page.evaluate("window.scrollY")
      await send(100, 3)
      const button = page.getByRole("button", { name: "3 new" })
      await button.waitFor({ timeout: 20_000 })
      assert.strictEqual(await page.evaluate("window.scrollY"), place)
      assert.strictEqual(await page.getByText("Number 102").count(), 0)
      await button.click()
      await page.getByText("Number 102").waitFor()
      assert.strictEqual(await page.evaluate("window.scrollY"), 0)
      assert.strictEqual(await page.getByRole("button", { name: /new$/ }).count(), 0)
    })
  })

  it("asks from time to time without locks, and not at all while hidden", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context, go }) => {
      await context.clock.install()
      await context.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })")
      const requests = countRequests(context)
      await go("/activity")
      await track("without_locks")
      await shows(page, "without_locks")
      assert.strictEqual(requests.streams(), 0)
      await page.evaluate(`
        Object.defineProperty(document, "hidden", { value: true, configurable: true })
        Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true })
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`)
      await pause(1_000)
      const before = requests.all.length
      await context.clock.fastForward(65_000)
      await pause(1_000)
      assert.deepStrictEqual(requests.all.slice(before), [])
    })
  })

  it("asks from time to time after the stream has failed twice, until it is back", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context, go, faults }) => {
      const requests = countRequests(context)
      let isCut = true
      await page.route("**/live*", (route) => (isCut ? route.abort() : route.continue()))
      await go("/activity")
      await waitFor("two attempts", () => requests.streams() >= 2)
      await track("without_stream")
      await shows(page, "without_stream")
      isCut = false
      const cut = requests.streams()
      await waitFor("the next attempt", () => requests.streams() > cut, 60_000)
      await track("with_stream")
      const at = Date.now()
      await shows(page, "with_stream")
      assert.isBelow(Date.now() - at, 4_000)
      // The browser logs each broken attempt.
      const broken = faults.filter((fault) => fault.includes("ERR_FAILED"))
      assert.isNotEmpty(broken)
      faults.splice(0, faults.length, ...faults.filter((fault) => !broken.includes(fault)))
    })
  })
})
