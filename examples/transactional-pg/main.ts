/**
 * An order and its email in one transaction of `pg`: both are saved, or neither. The example places one order, and one
 * that fails after its email was accepted. Then it prints what is saved.
 */
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { createPosthorn } from "@posthorn/embedded"
import pg from "pg"

const { DATABASE_URL, SMTP_URL = "smtp://127.0.0.1:1025?tls=none" } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL })
await pool.query(
  "create table if not exists orders (id uuid primary key default gen_random_uuid(), email text not null)"
)

const posthorn = await createPosthorn({
  database: { pool }, // Posthorn's tables are in the schema posthorn
  mailer: { smtp: SMTP_URL },
  publicUrl: "http://127.0.0.1:4003",
  secret: process.env["POSTHORN_SECRET"] ?? "only for this example, 32 bytes and more",
  settings: { devMode: true }
})
const [known] = await posthorn.run(Projects.use(({ list }) => list))
const project = known ?? (await posthorn.run(Projects.use(({ create }) => create("Orders")))).project
const mails = posthorn.client(project.id)
if (known === undefined) await mails.domains.add({ domain: "shop.test" }).orThrow()

const placeOrder = async (email: string, fails: boolean) => {
  const client = await pool.connect()
  try {
    await client.query("begin")
    const { rows } = await client.query("insert into orders (email) values ($1) returning id", [email])
    await posthorn.transaction(client, (mail) =>
      mail.send({ to: email, from: "orders@shop.test", subject: `Order ${rows[0].id}`, body: "<p>Thank you.</p>" })
    )
    if (fails) throw new Error("The card was declined.")
    await client.query("commit")
  } catch (error) {
    await client.query("rollback")
    console.error(String(error))
  } finally {
    client.release()
  }
}

await placeOrder("anna@example.com", false)
await placeOrder("bert@example.com", true)

const { rows } = await pool.query("select count(*)::int as orders from orders")
const { data } = await mails.emails.list().page()
console.log(JSON.stringify({ orders: rows[0].orders, mails: data?.data.length }))
await posthorn.close()
await pool.end()
