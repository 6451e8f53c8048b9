import { Effect } from "effect"
import type { Page } from "playwright-core"
import { contacts } from "../browser/Pages.ts"
import * as Stage from "../browser/Stage.ts"
import { resetInteraction, shownAt, vitalsOf } from "../browser/Vitals.ts"
import type { Case, Row, Run } from "../Row.ts"
import { about } from "./Console.ts"

type Act = (page: Page) => Promise<unknown>

/** What is opened, and what is done there. */
interface Scene {
  readonly path: string
  readonly ready: Act
  readonly acts: { readonly [name: string]: Act }
}

const selectAll = 'thead input[type="checkbox"]'

const scenes = ({ workflow, template, rare }: Stage.Stage["project"]): ReadonlyArray<Scene> => [
  {
    path: contacts.path,
    ready: (page) => shownAt(page, contacts.selector, contacts.text),
    acts: {
      scroll: async (page) => {
        await page.locator("tbody tr").first().focus()
        for (let n = 0; n < 5; n++) await page.keyboard.press("PageDown")
      },
      search: async (page) => {
        await page.getByRole("searchbox").click()
        await page.keyboard.type(rare, { delay: 30 })
        await shownAt(page, contacts.selector, rare)
        await page.getByRole("searchbox").fill("")
        await page.waitForTimeout(1_000)
      },
      sort: async (page) => {
        await page.getByRole("columnheader", { name: "Address" }).click()
        await page.waitForTimeout(1_000)
      },
      "select 100": (page) => page.locator(selectAll).press("Space")
    }
  },
  {
    path: "/mails",
    ready: (page) => shownAt(page, contacts.selector, "@"),
    acts: {
      "open a mail": async (page) => {
        await page.locator(`${contacts.selector} a`).first().click()
        await page.waitForURL(/\/mails\/[^/]+$/)
        await page.waitForTimeout(1_000)
      }
    }
  },
  {
    path: `/workflows/${workflow}`,
    ready: (page) => shownAt(page, ".react-flow__node", ""),
    acts: {
      "drag a step": async (page) => {
        const box = await page.locator(".react-flow__node").nth(3).boundingBox()
        if (box === null) throw new Error("The graph shows no step.")
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
        await page.mouse.move(x, y)
        await page.mouse.down()
        for (let n = 1; n <= 20; n++) await page.mouse.move(x + n * 5, y + n * 2)
        await page.mouse.up()
      }
    }
  },
  {
    path: `/templates/${template}`,
    ready: (page) => shownAt(page, '[role="treegrid"] [role="row"]', "Paragraph 3"),
    acts: {
      "edit a block": async (page) => {
        await page.getByRole("row").filter({ hasText: "Paragraph 3" }).first().click()
        const field = page.getByRole("textbox", { name: "Text", exact: true })
        await field.click()
        await page.keyboard.type(" and more", { delay: 30 })
      }
    }
  }
]

export const row: Row = {
  id: "U3",
  title: "the console, from an input to the next frame",
  needsPostgres: true,
  conditions: [
    ...about,
    "interactions to the next paint, as the browser tells them: from 16 ms on in steps of 8; 8 stands for below 16",
    "the figure is the slowest of a run, which for fewer than 50 interactions is the 98th percentile; each stands beside it"
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Stage.start("U3")
    const acted =
      (slower: number): Run =>
      () =>
        Effect.gen(function* () {
          const slowest: Record<string, number> = {}
          for (const { path, ready, acts } of scenes(stage.project)) {
            yield* stage.visit(path, { slower }, async (page) => {
              await page.goto(stage.at(path))
              await ready(page)
              await page.waitForTimeout(1_000)
              for (const [name, act] of Object.entries(acts)) {
                await resetInteraction(page)
                await act(page)
                slowest[name] = Math.max(8, (await vitalsOf(page)).interaction)
              }
            })
          }
          return { value: Math.max(...Object.values(slowest)), more: slowest }
        })
    return [1, 4].map(
      (slower): Case => ({
        name: slower === 1 ? "interactions" : `interactions, CPU x${slower}`,
        unit: "ms",
        target: slower === 1 ? "<= 80 ms" : "<= 200 ms",
        posthorn: acted(slower),
        baselines: {}
      })
    )
  })
}
