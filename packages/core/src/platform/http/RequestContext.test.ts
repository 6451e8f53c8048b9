import { assert, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { services, settings } from "../../testing/Services.ts"
import { Settings } from "../Settings.ts"
import { carried, marked } from "./RequestContext.ts"

layer(services)("The context of a request", (it) => {
  it.effect("contains the host's services and settings, but no services of the core", () =>
    Effect.gen(function* () {
      const all = yield* Effect.context<Contacts>()
      const context = carried(all)
      assert.strictEqual(Context.getOption(all, Contacts)._tag, "Some")
      assert.strictEqual(Context.getOption(context, Contacts)._tag, "None")
      assert.strictEqual(Context.get(context, Settings), settings)
      assert.strictEqual(Context.getOption(context, SqlClient.SqlClient)._tag, "Some")
      assert.isBelow(context.mapUnsafe.size * 4, all.mapUnsafe.size)
    })
  )
})

class Answer extends Context.Service<Answer, number>()("@posthorn/core/http/RequestContext.test/Answer") {}

it.effect("marked services are built once, like others", () =>
  Effect.gen(function* () {
    let built = 0
    const answer = Layer.sync(Answer, () => ++built)
    const both = Layer.merge(marked(answer), Layer.effectDiscard(Answer).pipe(Layer.provide(answer)))
    assert.strictEqual(yield* Effect.provide(Answer, both), 1)
    assert.strictEqual(built, 1)
  })
)
