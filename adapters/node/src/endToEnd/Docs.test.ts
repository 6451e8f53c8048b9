/**
 * The documentation in a browser: at three widths, in the light and the dark scheme, with the keyboard alone, and
 * without scripts. With `PICTURES` set, screenshots are kept in `node_modules/.cache/docs`.
 */
import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import * as DocsHttp from "@posthorn/docs/DocsHttp"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { assertFits, Browser, layer as browser, flawless } from "./testing/Browser.ts"
import { browserProgram } from "./testing/BrowserPresence.ts"

class Address extends Context.Service<Address, { readonly url: string }>()(
  "@posthorn/node/endToEnd/Docs.test/Address"
) {}

/** Only the pages: they need nothing of the service. */
const address = Layer.effect(
  Address,
  Effect.map(HttpServer.HttpServer, ({ address }) =>
    Address.of({ url: address._tag === "InetAddressV4" ? `http://127.0.0.1:${address.port}` : "" })
  )
).pipe(
  Layer.provideMerge(
    HttpRouter.serve(DocsHttp.layer({ console: "/console" }), { disableLogger: true, disableListenLog: true })
  ),
  Layer.provide(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })),
  Layer.orDie
)

const assertFlawless = flawless("node_modules/.cache/docs")
const pages = ["", "/guides/sending", "/guides/operations", "/v1", "/workflows", "/events", "/webhooks", "/errors"]
const desk = { viewport: { width: 1440, height: 900 } }

/** What these tests use of an element of the page. The types of a browser are not known here. */
interface Attributes {
  readonly getAttribute: (name: string) => string | null
  readonly setAttribute: (name: string, value: string) => void
}

describe.skipIf(browserProgram === undefined)("the documentation in a browser", () => {
  layer(Layer.merge(browser, address), { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect.each(pages)("/docs%s has no layout or accessibility errors at three widths, in light and dark", (path) =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { url } = yield* Address
        yield* visit(desk, async (page) => {
          await page.goto(`${url}/docs${path}`)
          // Some operations stand for all: they have one template, and the check takes longer than linear time.
          await page.locator("article:nth-of-type(-n + 6) details").evaluateAll((found: Array<Attributes>) => {
            for (const each of found) each.setAttribute("open", "")
          })
          await assertFlawless(page, `page${path.replaceAll("/", "-")}`)
          for (const width of [768, 360]) {
            await page.setViewportSize({ width, height: 900 })
            await assertFits(page, `${path} at ${width}`)
          }
          // The frame around the text is another one on a phone.
          if (path === "") await assertFlawless(page, "overview-360")
        })
      })
    )

    it.effect("has no layout or accessibility errors on any guide, on a phone", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { url } = yield* Address
        yield* visit({ viewport: { width: 360, height: 780 } }, async (page) => {
          await page.goto(`${url}/docs`)
          const guides = await page
            .locator(".cards a")
            .evaluateAll((links: Array<Attributes>) => links.map((link) => link.getAttribute("href")))
          assert.isAtLeast(guides.length, 10)
          for (const guide of guides) {
            await page.goto(`${url}${guide}`)
            await assertFlawless(page, `guide-${guide?.split("/").at(-1)}`, "light")
          }
        })
      })
    )

    it.effect("can be searched with the keyboard alone, and shows the number of results", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { url } = yield* Address
        yield* visit(desk, async (page) => {
          const refused: Array<string> = []
          page.on("console", (message) => void (message.type() === "error" && refused.push(message.text())))
          await page.goto(`${url}/docs`)
          await page.keyboard.press("/")
          await page.keyboard.type("look up which")
          await page.getByRole("search").getByRole("link").first().waitFor()
          assert.match((await page.getByRole("search").getByRole("status").textContent()) ?? "", /^\d+ results?$/)
          await assertFlawless(page, "search-1440")
          await page.keyboard.press("ArrowDown")
          assert.match(
            String(await page.evaluate("document.activeElement.textContent")),
            /^Look up which addresses exist/
          )
          await page.keyboard.press("Escape")
          assert.strictEqual(await page.evaluate("document.activeElement.id"), "search")
          await page.keyboard.type(" ")
          await page.getByRole("search").getByRole("link").first().waitFor()
          await page.keyboard.press("Enter")
          await page.waitForURL("**/docs/contacts#contacts.lookup")
          await page.keyboard.press("/")
          await page.keyboard.type("zymurgy")
          await page.getByText("No results.").waitFor()
          assert.deepStrictEqual(refused, [])
        })
      })
    )

    it.effect("keeps the language of the samples on all pages, chosen by the keyboard", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { url } = yield* Address
        yield* visit(desk, async (page) => {
          await page.goto(`${url}/docs/v1`)
          await page.getByRole("radio", { name: "curl" }).first().focus()
          await page.keyboard.press("ArrowRight")
          for (const name of ["v1", "segments"]) {
            await page.goto(`${url}/docs/${name}`)
            assert.isTrue(await page.getByRole("radio", { name: "TypeScript" }).last().isChecked())
            assert.isTrue(await page.locator("pre.typescript").last().isVisible())
            assert.isFalse(await page.locator("pre.curl").last().isVisible())
          }
        })
      })
    )

    it.effect("copies the visible sample", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { url } = yield* Address
        yield* visit({ ...desk, permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
          await page.goto(`${url}/docs/v1#send`)
          await page.locator("#send").getByText("CLI", { exact: true }).click()
          await page.locator("#send").getByRole("button", { name: "Copy the sample" }).click()
          await page.locator("#send").getByText("Copied").waitFor()
          assert.match(String(await page.evaluate("navigator.clipboard.readText()")), /^posthorn send --to /)
        })
      })
    )

    it.effect(
      "works without scripts: samples can be chosen, objects expanded, and the contents opened on a phone",
      () =>
        Effect.gen(function* () {
          const { visit } = yield* Browser
          const { url } = yield* Address
          const telephone = { viewport: { width: 360, height: 640 }, javaScriptEnabled: false }
          yield* visit(telephone, async (page) => {
            await page.goto(`${url}/docs/v1`)
            assert.isFalse(await page.getByRole("search").isVisible())
            await page.locator("#send").getByText("TypeScript").click()
            assert.isTrue(await page.locator("#send pre.typescript").isVisible())
            assert.isTrue(await page.locator("#track pre.curl").isVisible())
            const attachments = page.locator("#send details", { hasText: "Fields of attachments" }).first()
            await attachments.locator("summary").first().click()
            assert.isTrue(await attachments.getByText("filename").first().isVisible())
            await page.getByRole("link", { name: "Contents" }).click()
            await page.getByRole("link", { name: "Segments" }).click()
            await page.waitForURL("**/docs/segments")
          })
        })
    )

    it.effect("has every operation on the first page under its name, with a link to its description", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { url } = yield* Address
        yield* visit(desk, async (page) => {
          await page.goto(`${url}/docs#contacts.get`)
          const entry = page.locator(":target")
          assert.isTrue(await entry.isVisible())
          await entry.getByRole("link").click()
          await page.waitForURL("**/docs/contacts#contacts.get")
        })
      })
    )

    it.effect("takes the colours that the reader chose in the console", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { url } = yield* Address
        yield* visit({ ...desk, colorScheme: "light" }, async (page) => {
          await page.goto(`${url}/docs`)
          await page.evaluate(`localStorage.setItem("posthorn.preferences", JSON.stringify({ scheme: "dark" }))`)
          await page.reload()
          await page.locator("html[data-scheme=dark]").waitFor()
          assert.strictEqual(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(18, 20, 25)")
        })
      })
    )
  })
})
