import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { askingProject, linkOf, submit } from "../../audience/optins/OptInsFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { draw, executionsOf, work } from "./ExecutionsFixture.ts"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Contacts that confirm, on ${name}`,
    (it) => {
      it.effect("start one welcome flow for two parallel confirmations, and none for an event that is tracked", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          const { id } = yield* draw(acme.project, {
            event: "contact.confirmed",
            allowReentry: true,
            steps: { out: { type: "EXIT" } }
          })
          yield* acme.track({ email: "eve@example.com", event: "contact.confirmed" })
          yield* work
          assert.lengthOf(yield* executionsOf(acme.project, id), 0)
          yield* acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
          const path = yield* linkOf(acme)
          yield* Effect.all([submit(path, { confirm: "1" }), submit(path, { confirm: "1" })], { concurrency: 2 })
          yield* work
          assert.lengthOf(yield* executionsOf(acme.project, id), 1)
        })
      )
    }
  )
}
