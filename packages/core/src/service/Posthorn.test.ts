/** The core with a store of the host in place of ours. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TemplateStore } from "../content/templates/TemplateStore.ts"
import * as TemplateStoreSql from "../content/templates/TemplateStoreSql.ts"
import * as Posthorn from "../Posthorn.ts"
import { Settings } from "../platform/Settings.ts"
import { pglite } from "../testing/Databases.ts"
import { host, seed, settings } from "../testing/Services.ts"
import { send, wireOver } from "../testing/TestClient.ts"
import * as ServiceStatus from "./ServiceStatus.ts"

const inserted: Array<string> = []

/** Ours, but it remembers the names that it stored. */
const own = Layer.effect(
  TemplateStore,
  Effect.map(TemplateStore, (store) =>
    TemplateStore.of({
      ...store,
      insert: (project, id, content, now) =>
        Effect.tap(store.insert(project, id, content, now), () => Effect.sync(() => inserted.push(content.name)))
    })
  )
).pipe(Layer.provide(TemplateStoreSql.layer))

const services = Layer.effectDiscard(seed).pipe(
  Layer.provideMerge(Layer.mergeAll(Posthorn.layerWith(own), ServiceStatus.layer)),
  Layer.provideMerge(Layer.merge(host, pglite)),
  Layer.provideMerge(Layer.succeed(Settings, settings))
)

layer(wireOver(services), { timeout: "60 seconds" })("The core over a store of a host", (it) => {
  it.effect("uses that store in place of its own", () =>
    Effect.gen(function* () {
      yield* send("POST", "/domains", { domain: "own.test" })
      const template = { name: "Own", subject: "Hi", body: "<p>Hi</p>", from: "hi@own.test" }
      assert.strictEqual((yield* send("POST", "/templates", template)).status, 201)
      assert.deepStrictEqual(inserted, ["Own"])
    })
  )
})
