/** What the examples of all ORMs share: a pool, Posthorn on it, and a table of orders. */
import { createPosthorn } from "@posthorn/embedded"
import pg from "pg"
import { clientsOf } from "./PoolClients.ts"

const { DATABASE_URL, SMTP_URL = "smtp://127.0.0.1:1025?tls=none" } = process.env

export const pool = new pg.Pool({ connectionString: DATABASE_URL })
export const clientOf = clientsOf(pool)
await pool.query(
  "create table if not exists orders (id uuid primary key default gen_random_uuid(), email text not null)"
)

export const posthorn = await createPosthorn({
  database: { pool }, // the pool of the ORM
  mailer: { smtp: SMTP_URL },
  publicUrl: "http://127.0.0.1:4004",
  secret: process.env["POSTHORN_SECRET"] ?? "only for this example, 32 bytes and more",
  settings: { devMode: true }
})
const mails = posthorn.client((await posthorn.ensureProject("Orders")).id)
const { error } = await mails.domains.add({ domain: "shop.test" })
if (error !== null && error.code !== "CONFLICT") throw new Error(error.message)

export const letterTo = (email: string, order: string | undefined) => ({
  to: email,
  from: "orders@shop.test",
  subject: `Order ${order}`,
  body: "<p>Thank you.</p>"
})

/** Places one order, and one that fails after its email was accepted. Then it prints what is saved. */
export const show = async (placeOrder: (email: string, fails: boolean) => Promise<void>): Promise<void> => {
  await placeOrder("anna@example.com", false)
  await placeOrder("bert@example.com", true).catch((declined) => console.error(String(declined)))
  const { rows } = await pool.query("select count(*)::int as orders from orders")
  const { data } = await mails.emails.list().page()
  console.log(JSON.stringify({ orders: rows[0].orders, mails: data?.data.length }))
  await posthorn.close()
  await pool.end()
}
