/** Large MJML templates, from the request that saves them to the mail, with the threads of the host. */
import { assert, layer } from "@effect/vitest"
import { pglite } from "@posthorn/core/testing/Databases"
import { servicesOn } from "@posthorn/core/testing/Services"
import { send, wireOver } from "@posthorn/core/testing/TestClient"
import { Effect, Fiber, Layer } from "effect"
import * as MjmlThreads from "./MjmlThreads.ts"
import * as TextThreads from "./TextThreads.ts"

const threads = Layer.merge(TextThreads.layer, MjmlThreads.layer)
const wire = wireOver(servicesOn(pglite).pipe(Layer.provide(threads), Layer.provideMerge(threads)))

const mjmlOf = (buttons: number) =>
  `<mjml><mj-body><mj-section><mj-column>${'<mj-button href="https://shop.example/?u={{id}}">Look, {{name}}</mj-button>'.repeat(buttons)}</mj-column></mj-section></mj-body></mjml>`

const letter = { name: "Large", subject: "Hi", from: "hi@mjml.test", type: "TRANSACTIONAL", format: "MJML" }

const megabyte = 1024 * 1024

/** How often the event loop is free meanwhile, at most every 5 ms. */
const turnsDuring = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  const fiber = yield* Effect.forkChild(work)
  const result = yield* Fiber.join(fiber).pipe(Effect.ensuring(Effect.sync(() => clearInterval(timer))))
  return { result, turns }
})

layer(wire, { timeout: "60 seconds" })("An MJML template", (it) => {
  it.effect(
    "whose HTML with placeholders has 2 to 5 MB is saved, rendered and sent, and the event loop stays free",
    () =>
      Effect.gen(function* () {
        yield* send("POST", "/domains", { domain: "mjml.test" })
        const buttons = 3_000
        const saved = yield* turnsDuring(send("POST", "/templates", { ...letter, source: mjmlOf(buttons) }))
        const { status, body: template } = saved.result
        assert.strictEqual(status, 201, JSON.stringify(template.error))
        assert.isAbove(template.body.length, 2 * megabyte)
        assert.isBelow(template.body.length, 5 * megabyte)
        assert.isAbove(saved.turns, 10)

        const mail = { to: "ada@example.com", template: template.id, data: { name: "Ada <3" } }
        const sent = yield* turnsDuring(send("POST", "/v1/send", mail))
        assert.strictEqual(sent.result.status, 200, JSON.stringify(sent.result.body.error))
        assert.isAbove(sent.turns, 10)
        const { body: content } = yield* send("GET", `/emails/${sent.result.body.data.emails[0].email}/content`)
        assert.isAbove(content.html.length, 2 * megabyte)
        assert.lengthOf(content.html.match(/Look, Ada &lt;3/g) ?? [], buttons)
        assert.notInclude(content.html, "{{")

        const draft = yield* send("PUT", `/templates/${template.id}/draft`, { source: mjmlOf(buttons + 1) })
        assert.deepStrictEqual(draft.body.problems, [])
        const published = yield* send("POST", `/templates/${template.id}/publish`)
        assert.deepStrictEqual([published.status, published.body.version], [200, 2])
      })
  )

  it.effect("whose HTML has more than 5 MB is refused, and nothing is stored", () =>
    Effect.gen(function* () {
      const refused = yield* send("POST", "/templates", { ...letter, name: "Too large", source: mjmlOf(9_000) })
      assert.strictEqual(refused.status, 422)
      const [{ field, code, message }] = refused.body.error.errors
      assert.deepStrictEqual([field, code, message], ["source", "too_big", "At most 5 MB of HTML after compiling."])
      assert.strictEqual((yield* send("GET", "/templates?search=Too%20large")).body.total, 0)
    })
  )
})
