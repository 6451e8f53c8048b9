/** An order and its email in one transaction of Drizzle. */
import { sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { pgTable, text, uuid } from "drizzle-orm/pg-core"
import { clientOf, letterTo, pool, posthorn, show } from "./Shop.ts"

const orders = pgTable("orders", { id: uuid().primaryKey().defaultRandom(), email: text().notNull() })
const db = drizzle({ client: pool })

await show((email, fails) =>
  db.transaction(async (tx) => {
    const [order] = await tx.insert(orders).values({ email }).returning()
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await posthorn.transaction(clientOf(rows[0]?.pid), (mail) => mail.send(letterTo(email, order?.id)))
    if (fails) throw new Error("The card was declined.")
  })
)
