import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { databases } from "../../../testing/Databases.ts"
import { servicesOn, type TestServices } from "../../../testing/Services.ts"
import { outcome, send, type Wire, wireOver } from "../../../testing/TestClient.ts"
import { build } from "../ExecutionsFixture.ts"
import { nowhere, workflowProject } from "../WorkflowsFixture.ts"

const hour = { type: "DELAY", config: { amount: 1, unit: "hours" } }

interface Found {
  readonly id: string
  readonly workflow: { readonly id: string; readonly name: string }
}

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "120 seconds" })(`The executions of a contact on ${name}`, (it) => {
    it.effect("are in all workflows, newest first, without steps, by status and page by page", () =>
      Effect.gen(function* () {
        const fresh = yield* workflowProject
        const { ask, outcome } = fresh
        const contact = (email: string) =>
          Effect.map(ask("POST", "/contacts", { email }), ({ body }) => String(body.id))
        const [ada, bob] = [yield* contact("ada@example.com"), yield* contact("bob@example.com")]
        const made: Array<string> = []
        for (let n = 0; n < 3; n++) {
          const { id } = yield* build(fresh, { event: "go", steps: { rest: hour } })
          for (const contactId of [bob, ada]) {
            yield* TestClock.adjust("1 second")
            const { body } = yield* ask("POST", `/workflows/${id}/executions`, { contactId })
            if (contactId === ada) made.unshift(body.id)
          }
        }
        const path = `/contacts/${ada}/executions`
        const all = yield* ask("GET", path)
        assert.strictEqual(all.status, 200)
        const found: ReadonlyArray<Found> = all.body.data
        assert.deepStrictEqual(
          found.map(({ id }) => id),
          made
        )
        assert.deepStrictEqual([all.body.total, all.body.hasMore], [3, false])
        const [newest] = found
        const detail = yield* ask("GET", `/workflows/${newest?.workflow.id}/executions/${newest?.id}`)
        const { stepExecutions, ...record } = detail.body
        assert.deepStrictEqual(newest, record)
        assert.lengthOf(stepExecutions, 1)

        yield* ask("DELETE", `/workflows/${newest?.workflow.id}/executions/${newest?.id}`)
        const ids = (query: string) =>
          Effect.map(ask("GET", `${path}?${query}`), ({ body }) => body.data.map(({ id }: Found) => id))
        assert.deepStrictEqual(yield* ids("status=CANCELLED"), made.slice(0, 1))
        assert.deepStrictEqual(yield* ids("status=RUNNING,WAITING"), made.slice(1))
        const first = yield* ask("GET", `${path}?limit=2`)
        assert.deepStrictEqual([first.body.data.length, first.body.total, first.body.hasMore], [2, 3, true])
        const second = yield* ask("GET", `${path}?limit=2&cursor=${first.body.cursor}`)
        assert.deepStrictEqual([second.body.data[0].id, second.body.total, second.body.hasMore], [made[2], 0, false])
        const other = `/contacts/${bob}/executions?cursor=${first.body.cursor}`
        assert.strictEqual(yield* outcome("GET", other), "400 INVALID_CURSOR")
        assert.strictEqual(yield* outcome("GET", `${path}?status=DONE`), "400 BAD_REQUEST")
        assert.strictEqual(yield* outcome("GET", `${path}?limit=0`), "400 BAD_REQUEST")
      })
    )

    it.effect("are open to keys with a scope of contacts or workflows, and only in their project", () =>
      Effect.gen(function* () {
        const { ask, outcome: asked } = yield* workflowProject
        const { body: theirs } = yield* ask("POST", "/contacts", { email: "theirs@example.com" })
        const { body: own } = yield* send("POST", "/contacts", { email: "own@example.com" })
        for (const id of [own.id, nowhere, "x"]) {
          assert.strictEqual(yield* asked("GET", `/contacts/${id}/executions`), "404 CONTACT_NOT_FOUND")
        }
        assert.strictEqual(yield* asked("GET", `/contacts/${theirs.id}/executions`), "200 ok")
        for (const [scope, answer] of [
          ["contacts:read", "200 ok"],
          ["workflows:read", "200 ok"],
          ["segments:read", "403 FORBIDDEN"]
        ] as const) {
          const { body } = yield* send("POST", "/api-keys", { name: scope, scopes: [scope] })
          const headers = { authorization: `Bearer ${body.key}` }
          assert.strictEqual(yield* outcome("GET", `/contacts/${own.id}/executions`, undefined, headers), answer)
        }
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))
