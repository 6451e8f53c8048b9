import { assert, layer } from "@effect/vitest"
import { DomainId } from "@posthorn/contract/domains/Domain"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { nextSecret, secret } from "../testing/Services.ts"
import { DkimKeys } from "./DkimKeys.ts"
import { renewSealedKeys } from "./DkimKeysRenewal.ts"
import { DomainStore } from "./DomainStore.ts"
import { foundation, keysUnder, mine, theirs } from "./DomainsFixture.ts"

const uuid = (n: number) => DomainId.make(`019a0000-0000-7000-8000-${String(n).padStart(12, "0")}`)

const underNext = (previous?: string) => Effect.provide(keysUnder(nextSecret, previous), { local: true })

layer(foundation(new Map()), { timeout: "60 seconds" })("The renewal of sealed keys", (it) => {
  it.effect("brings all keys under the current secret, once; keys that do not open stay as they are", () =>
    Effect.gen(function* () {
      const store = yield* DomainStore
      const dkim = yield* DkimKeys
      const sql = yield* SqlClient.SqlClient
      for (const [n, project] of [mine, theirs, mine].entries()) {
        const keys = yield* dkim.make(uuid(n))
        const domain = { id: uuid(n), domain: `renewal${n}.test`, verified: false, records: [], ...keys }
        yield* store.insert(project, domain, yield* DateTime.now)
      }
      yield* sql`update domains set rsa_private_key = 'unreadable' where id = ${uuid(2)}`
      assert.strictEqual(yield* renewSealedKeys, 0)

      assert.strictEqual(yield* underNext(secret)(renewSealedKeys), 2)
      assert.strictEqual(yield* underNext(secret)(renewSealedKeys), 0)
      for (const [n, project] of [mine, theirs].entries()) {
        const stored = Option.getOrThrow(yield* store.keys(project, uuid(n)))
        const signing = yield* underNext()(DkimKeys.use((next) => next.signing(stored)))
        assert.lengthOf(signing, 2)
      }
      const broken = Option.getOrThrow(yield* store.keys(mine, uuid(2)))
      assert.strictEqual(broken.rsaPrivateKey, "unreadable")
    })
  )
})
