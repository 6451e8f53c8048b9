/** "Try it" of the documentation: calls of a running server from a browser, with a key and with a session. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { Browser, layer as browser, desk, flawless } from "./testing/Browser.ts"
import { browserProgram } from "./testing/BrowserPresence.ts"
import { request } from "./testing/Caller.ts"
import { Documented, documented } from "./testing/Documented.ts"
import { operations } from "./testing/Operations.ts"

const assertFlawless = flawless("node_modules/.cache/docs")

/** What a browser complains about: refusals of the policy, and faults of the script. */
const complaintsOf = (page: Page) => {
  const found: Array<string> = []
  page.on("console", (message) => void (message.type() === "error" && found.push(message.text())))
  page.on("pageerror", ({ message }) => void found.push(message))
  return found
}

const openOf = async (page: Page, id: string) => {
  await page.locator(`[id="${id}"]`).getByRole("button", { name: "Try it" }).click()
  return page.getByRole("dialog")
}

describe.skipIf(browserProgram === undefined)("Try it", () => {
  layer(Layer.merge(browser, documented), { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect("writes with a key after a question, and forgets the key with the page", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Documented
        yield* visit(desk, async (page) => {
          const complaints = complaintsOf(page)
          await page.goto(`${caller.url}/docs/contacts#contacts.upsert`)
          const dialog = await openOf(page, "contacts.upsert")
          await assertFlawless(page, "try-it")
          await dialog.getByLabel("Key", { exact: true }).fill(caller.secretKey)
          await dialog.getByLabel("Body, JSON").fill('{"email":"tried@example.org","data":{"plan":"pro"}}')
          await dialog.getByRole("button", { name: "Send", exact: true }).click()
          const question = page.getByRole("alertdialog")
          assert.include((await question.textContent()) ?? "", "POST /contacts may change the project of this key.")
          await question.getByRole("button", { name: "Back" }).click()
          assert.strictEqual((await dialog.getByRole("status").textContent()) ?? "", "")
          await dialog.getByRole("button", { name: "Send", exact: true }).click()
          await question.getByRole("button", { name: "Send it" }).click()
          await dialog.getByText(/^201 in \d+ ms$/).waitFor()
          assert.include((await dialog.getByRole("status").textContent()) ?? "", '"email": "tried@example.org"')
          await page.keyboard.press("Escape")
          assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Try it")
          assert.strictEqual(
            await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"),
            "[{},{}]"
          )

          const again = await openOf(page, "contacts.list")
          assert.strictEqual(await again.getByLabel("Key", { exact: true }).inputValue(), caller.secretKey)
          await again.getByLabel("limit").fill("1")
          await again.getByRole("button", { name: "Send", exact: true }).click()
          await again.getByText(/^200 in \d+ ms$/).waitFor()
          await page.reload()
          const later = await openOf(page, "contacts.list")
          assert.strictEqual(await later.getByLabel("Key", { exact: true }).inputValue(), "")
          assert.deepStrictEqual(complaints, [])
        })
        const { text } = yield* request(caller, "GET", "/contacts?search=tried@example.org")
        assert.include(text, "tried@example.org")
      })
    )

    it.effect("reads with the session and the project of the console", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller, userOf } = yield* Documented
        const operation = operations.find(({ id }) => id === "users.me") ?? assert.fail("users.me")
        const { project, session } = userOf(operation)
        yield* visit(desk, async (page) => {
          const complaints = complaintsOf(page)
          const { url } = caller
          await page.context().addCookies([
            { name: "posthorn_session", value: session, url, httpOnly: true },
            { name: "posthorn_signed_in", value: "1", url }
          ])
          await page.goto(`${url}/docs/contacts`)
          await page.evaluate(`localStorage.setItem("posthorn.project", "${project}")`)
          const dialog = await openOf(page, "contacts.list")
          assert.strictEqual(await dialog.getByLabel("Project").inputValue(), project)
          await dialog.getByRole("button", { name: "Send", exact: true }).click()
          await dialog.getByText(/^200 in \d+ ms$/).waitFor()
          assert.deepStrictEqual(complaints, [])
        })
      })
    )
  })
})
