import { assert, layer } from "@effect/vitest"
import { AccountId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Transaction from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import { crypto } from "../../testing/Services.ts"
import { AccountStore } from "./AccountStore.ts"
import * as AccountStoreSql from "./AccountStoreSql.ts"
import * as Attempts from "./Attempts.ts"
import * as MailedTokens from "./MailedTokens.ts"
import * as SessionStore from "./SessionStore.ts"

const stores = Layer.mergeAll(AccountStoreSql.layer, Transaction.layerSql)

const newId = Effect.map(
  SecureRandom.SecureRandom.use((random) => random.uuidV7()),
  (id) => AccountId.make(id)
)

for (const [name, database] of databases()) {
  const shared = Layer.provideMerge(stores, Layer.merge(database, crypto))
  layer(shared, { timeout: "60 seconds" })(`Sign-in stores on ${name}`, (it) => {
    it.effect("of a hundred concurrent attempts the limit passes, and more as the window moves", () =>
      Effect.gen(function* () {
        const { take } = yield* Attempts.make
        const limit = { kind: "test", limit: 7, window: Duration.minutes(10) }
        const attempt = Effect.flatMap(DateTime.now, (now) => take(limit, "anna@example.com", now))
        const waits = yield* Effect.all(
          Array.from({ length: 100 }, () => attempt),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(waits.filter(Option.isNone).length, 7)
        for (const wait of waits.filter(Option.isSome)) assert.strictEqual(wait.value, 600)
        yield* TestClock.adjust("4 minutes")
        assert.deepStrictEqual(yield* attempt, Option.some(360))
        yield* TestClock.adjust("6 minutes")
        assert.deepStrictEqual(yield* attempt, Option.none())
      })
    )

    it.effect("attempts are counted by kind and subject, given back, reset, and swept", () =>
      Effect.gen(function* () {
        const attempts = yield* Attempts.make
        const sql = yield* SqlClient.SqlClient
        const limit = { kind: "one", limit: 1, window: Duration.minutes(10) }
        const now = yield* DateTime.now
        const take = (kind: string, who: string) =>
          Effect.map(attempts.take({ ...limit, kind }, who, now), Option.isNone)
        assert.deepStrictEqual(
          [yield* take("one", "a"), yield* take("one", "b"), yield* take("two", "a"), yield* take("one", "a")],
          [true, true, true, false]
        )
        yield* attempts.giveBack(limit, "a", now)
        assert.deepStrictEqual([yield* take("one", "a"), yield* take("one", "a")], [true, false])
        yield* attempts.forget(limit, "b")
        assert.isTrue(yield* take("one", "b"))
        yield* attempts.sweep(DateTime.add(now, { hours: 23 }))
        assert.isFalse(yield* take("one", "b"))
        yield* attempts.sweep(DateTime.add(now, { days: 2 }))
        assert.deepStrictEqual(yield* sql`select * from attempts`, [])
      })
    )

    it.effect("of twenty concurrent uses of a token one gets the account, and a rolled-back use does not count", () =>
      Effect.gen(function* () {
        const tokens = yield* MailedTokens.make
        const transaction = yield* Transaction.Transaction
        const account = yield* newId
        const token = yield* tokens.issue("reset", account)
        const failed = Effect.andThen(tokens.redeem("reset", token), Effect.fail("no"))
        assert.strictEqual(yield* Effect.flip(transaction.run(failed)), "no")
        const found = yield* Effect.all(
          Array.from({ length: 20 }, () => transaction.run(tokens.redeem("reset", token))),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(found.filter(Option.isSome), [Option.some(account)])
      })
    )

    it.effect(
      "an account is adopted by its address, and keeps its password and sessions only if the address was confirmed",
      () =>
        Effect.gen(function* () {
          const accounts = yield* AccountStore
          const now = yield* DateTime.now
          assert.deepStrictEqual(yield* accounts.adopt("nobody@example.com", now), Option.none())
          for (const emailVerified of [true, false]) {
            const id = yield* newId
            const email = `adopted-${emailVerified}@example.com`
            yield* accounts.insert({ id, email, emailVerified, type: "PASSWORD", passwordHash: "hash" }, now)
            const sessionVersion = emailVerified ? 1 : 2
            for (let time = 0; time < 2; time++) {
              assert.deepStrictEqual(yield* accounts.adopt(email, now), Option.some({ id, sessionVersion }))
            }
            const found = yield* accounts.credentials({ id })
            assert.deepStrictEqual(
              Option.map(found, ({ account, passwordHash }) => [account.emailVerified, passwordHash]),
              Option.some([true, emailVerified ? "hash" : null])
            )
          }
        })
    )

    it.effect("expired tokens and revoked sessions are swept once they have no effect", () =>
      Effect.gen(function* () {
        const tokens = yield* MailedTokens.make
        const sessions = yield* SessionStore.make
        const sql = yield* SqlClient.SqlClient
        yield* tokens.issue("reset", yield* newId)
        yield* tokens.issue("verification", yield* newId)
        const now = yield* DateTime.now
        yield* sessions.revoke(yield* newId, DateTime.add(now, { days: 7 }))
        yield* TestClock.adjust("1 hour")
        yield* tokens.sweep
        yield* sessions.sweep(yield* DateTime.now)
        assert.deepStrictEqual(yield* sql`select purpose from mailed_tokens`, [{ purpose: "verification" }])
        assert.strictEqual((yield* sql`select id from revoked_sessions`).length, 1)
        yield* TestClock.adjust("7 days")
        yield* sessions.sweep(yield* DateTime.now)
        assert.deepStrictEqual(yield* sql`select id from revoked_sessions`, [])
      })
    )
  })
}
