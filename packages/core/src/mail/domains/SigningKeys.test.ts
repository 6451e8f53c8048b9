import { assert, layer } from "@effect/vitest"
import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import { Cause, DateTime, Effect, Exit, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { makeKeyPairs } from "./DkimKeys.ts"
import { DomainStore } from "./DomainStore.ts"
import { foundation, mine, theirs } from "./DomainsFixture.ts"
import * as SigningKeys from "./SigningKeys.ts"

const uuid = (n: number) => DomainId.make(`019a0000-0000-7000-8000-${String(n).padStart(12, "0")}`)

/** A domain with real keys, as the service would store it. */
const insert = Effect.fnUntraced(function* (n: number) {
  const store = yield* DomainStore
  const keys = yield* makeKeyPairs(uuid(n))
  const domain = { id: uuid(n), domain: `keys${n}.test`, verified: false, records: [], ...keys }
  return yield* store.insert(mine, domain, yield* DateTime.now)
})

const defectOf = <A>(effect: Effect.Effect<A>) =>
  Effect.map(Effect.exit(effect), (exit) => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined))

layer(foundation(new Map()), { timeout: "60 seconds" })("SigningKeys", (it) => {
  it.effect("returns both keys of a domain, only for its own project", () =>
    Effect.gen(function* () {
      const { signingKeys } = yield* SigningKeys.make
      const { selector } = yield* insert(1)
      const keys = yield* signingKeys(mine, uuid(1))
      assert.deepStrictEqual(
        keys.map((key) => [key.domain, key.selector, key.algorithm]),
        [
          ["keys1.test", selector, "rsa-sha256"],
          ["keys1.test", `${selector}e`, "ed25519-sha256"]
        ]
      )
      for (const { privateKey } of keys) assert.match(Redacted.value(privateKey), /^-----BEGIN PRIVATE KEY-----/)
      assert.deepStrictEqual(
        yield* defectOf(signingKeys(theirs, uuid(1))),
        new SigningKeys.DomainRemoved({ domainId: uuid(1) })
      )
    })
  )

  it.effect("reads them once", () =>
    Effect.gen(function* () {
      const { signingKeys } = yield* SigningKeys.make
      const sql = yield* SqlClient.SqlClient
      yield* insert(2)
      const keys = yield* signingKeys(mine, uuid(2))
      yield* sql`update domains set rsa_private_key = 'unreadable'`
      assert.strictEqual(yield* signingKeys(mine, uuid(2)), keys)
    })
  )

  it.effect("dies rather than leave a mail unsigned: without the domain, or with keys that cannot be decrypted", () =>
    Effect.gen(function* () {
      const { signingKeys } = yield* SigningKeys.make
      const sql = yield* SqlClient.SqlClient
      yield* insert(3)
      yield* sql`update domains set ed25519_private_key = 'unreadable' where id = ${uuid(3)}`
      assert.match(String(yield* defectOf(signingKeys(mine, uuid(3)))), /POSTHORN_SECRET/)
      assert.match(String(yield* defectOf(signingKeys(mine, uuid(4)))), /is gone/)
      yield* insert(4)
      assert.lengthOf(yield* signingKeys(mine, uuid(4)), 2)
    })
  )
})
