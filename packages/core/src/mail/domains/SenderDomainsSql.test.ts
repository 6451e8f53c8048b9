import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { SenderDomainUnverified } from "@posthorn/contract/platform/Errors"
import { Effect, Layer } from "effect"
import { SenderDomains } from "../../content/templates/SenderDomains.ts"
import { databases } from "../../testing/Databases.ts"
import { insertDomain } from "./SenderDomainFixture.ts"
import { layerSql } from "./SenderDomainsSql.ts"

const mine = ProjectId.make("019a0000-0000-7000-8000-000000000001")
const theirs = ProjectId.make("019a0000-0000-7000-8000-000000000002")

for (const [name, database] of databases()) {
  layer(Layer.provideMerge(layerSql, database), { timeout: "60 seconds" })(`SenderDomains on ${name}`, (it) => {
    it.effect("accepts only addresses of domains that are verified for this project", () =>
      Effect.gen(function* () {
        const senders = yield* SenderDomains
        yield* insertDomain(mine, "example.com")
        yield* insertDomain(mine, "pending.test", false)
        yield* insertDomain(theirs, "theirs.test")
        yield* senders.requireVerified(mine, "hi@example.com")
        for (const domain of ["pending.test", "theirs.test", "unknown.test", "mail.example.com", "com"]) {
          const refused = yield* Effect.flip(senders.requireVerified(mine, `hi@${domain}`))
          assert.deepStrictEqual(refused, new SenderDomainUnverified({ domain }))
        }
      })
    )
  })
}
