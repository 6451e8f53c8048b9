/** An order and its email in one transaction of Kysely. */
import { type Generated, Kysely, PostgresDialect, sql } from "kysely"
import { clientOf, letterTo, pool, posthorn, show } from "./Shop.ts"

interface Tables {
  readonly orders: { readonly id: Generated<string>; readonly email: string }
}
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

await show((email, fails) =>
  db.transaction().execute(async (tx) => {
    const order = await tx.insertInto("orders").values({ email }).returning("id").executeTakeFirst()
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await posthorn.transaction(clientOf(rows[0]?.pid), (mail) => mail.send(letterTo(email, order?.id)))
    if (fails) throw new Error("The card was declined.")
  })
)
