import { assert, describe, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../testing/Databases.ts"
import * as Transaction from "./Transaction.ts"

describe.each(databases().filter(([name]) => name === "PostgreSQL"))("Transactions on %s", (_, database) => {
  layer(Transaction.layerSql.pipe(Layer.provideMerge(database)))((it) => {
    it.effect("fail with the error of their work if the connection ends before the rollback", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const transaction = yield* Transaction.Transaction
        const ended = Effect.ignore(sql`select pg_terminate_backend(pg_backend_pid())`)
        const exit = yield* Effect.exit(transaction.run(Effect.andThen(ended, Effect.fail("refused"))))
        assert.deepStrictEqual(
          Exit.isFailure(exit) ? exit.cause.reasons.map(String) : [],
          Cause.fail("refused").reasons.map(String)
        )
      })
    )
  })
})
