/** The console in German: by the languages of the browser, and by choice. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { browserProgram, launch, overflow, violations, visit } from "./testing/Browser.ts"
import { type DevServer, startDevServer } from "./testing/DevServer.ts"

const desk = { viewport: { width: 1440, height: 900 }, colorScheme: "light" } as const

describe.skipIf(browserProgram === undefined)("the console in German", () => {
  let server: DevServer
  let browser: Browser
  const ids: Record<string, string> = {}

  const make = async (name: string, path: string, body: object) => {
    const answer = await server.call<{ id?: string; data?: { id: string } }>("POST", path, body)
    assert.oneOf(answer.status, [200, 201], `${path} ${JSON.stringify(answer.body)}`)
    ids[name] = answer.body.id ?? answer.body.data?.id ?? ""
  }

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    const mail = { from: `hi@${server.domain}`, subject: "Ihre Bestellung", body: "<p>Hallo</p>" }
    await make("contact", "/contacts", { email: "ada@example.com", data: { plan: "pro" } })
    await make("mail", "/v1/send", { ...mail, to: "ada@example.com" })
    await make("campaign", "/campaigns", { ...mail, name: "Herbst", audienceType: "ALL" })
    await make("workflow", "/workflows", { name: "Nach Anmeldung", triggerType: "MANUAL" })
    await make("domain", "/domains", { domain: "news.example.com" })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** Wide pages, each with a text of it. */
  const pages = (): ReadonlyArray<readonly [path: string, text: string | RegExp]> => [
    ["/", "Neueste Aktivität"],
    ["/mails", "ada@example.com"],
    ["/contacts", "ada@example.com"],
    [`/contacts/${ids["contact"]}`, "Einwilligung"],
    ["/segments/new", /^\d+ Kontakte? pass/],
    [`/campaigns/${ids["campaign"]}/edit`, /Kontakte? (?:erhält|erhalten) die E-Mail/],
    [`/workflows/${ids["workflow"]}`, "Alles ist gespeichert"],
    [`/domains/${ids["domain"]}`, "Noch nicht da"],
    ["/settings", "Beschwerden insgesamt"],
    ["/settings/audience", "Bestätigung per E-Mail"]
  ]

  it("fits at 360 and 1,440 px, and is accessible, for a browser whose first language is German", async () => {
    await visit(browser, server, { ...desk, locale: "de-AT" }, async ({ page, go }) => {
      page.setDefaultTimeout(10_000)
      const faults: Array<string> = []
      for (const [path, text] of pages()) {
        await go(path)
        await page.getByText(text).first().waitFor()
        await page.locator('main [class*="_bar"]').first().waitFor({ state: "detached" })
        for (const width of [1440, 360]) {
          await page.setViewportSize({ width, height: 900 })
          const over = await overflow(page)
          if (over > 0) faults.push(`${path}: ${over} px too wide for ${width}`)
          faults.push(...(await violations(page, false)).map((fault) => `${path} at ${width}: ${fault}`))
        }
        await page.setViewportSize(desk.viewport)
      }
      assert.deepStrictEqual(faults, [])
      assert.strictEqual(await page.locator("html").getAttribute("lang"), "de")
    })
  })

  it("writes dates, numbers and what its components say in German", async () => {
    await visit(browser, server, { ...desk, locale: "de-DE" }, async ({ page, go }) => {
      await go("/mails")
      const time = page.locator("main time").first()
      assert.match((await time.getAttribute("title")) ?? "", /^\d{1,2}\.\d{1,2}\.\d{4}, /)
      assert.match((await time.textContent()) ?? "", /^(?:vor|jetzt)/)
      await page.getByRole("button", { name: "Konto", exact: true }).click()
      await page.getByRole("button", { name: "Schließen" }).first().waitFor({ state: "attached" })
      await page.keyboard.press("Escape")
      await go("/")
      await page
        .locator("main")
        .getByText(/\d,\d\s%/)
        .first()
        .waitFor()
    })
  })

  it("changes the page at once when the language is chosen, and stays after a reload; English loads nothing of it", async () => {
    await visit(browser, server, desk, async ({ page }) => {
      const loaded: Array<string> = []
      page.on("request", (request) => void (/\.de-[\w-]+\.js$/.test(request.url()) && loaded.push(request.url())))
      const lang = () => page.locator("html").getAttribute("lang")
      const title = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor()
      await page.goto(`${server.url}/console/account`)
      await title("Your account")
      assert.strictEqual(await lang(), "en")
      assert.deepStrictEqual(loaded, [])

      const choice = page.getByLabel("Language", { exact: true })
      await choice.focus()
      await choice.selectOption({ label: "Deutsch" })
      await title("Ihr Konto")
      assert.strictEqual(await lang(), "de")
      assert.isNotEmpty(loaded)
      // The field that was used keeps the focus.
      assert.strictEqual(await page.evaluate("document.activeElement.value"), "de")

      await page.reload()
      await title("Ihr Konto")
      assert.strictEqual(await lang(), "de")
      await page.getByLabel("Sprache", { exact: true }).selectOption({ label: "Wie der Browser" })
      await title("Your account")
      assert.strictEqual(await lang(), "en")
    })
  })
})
