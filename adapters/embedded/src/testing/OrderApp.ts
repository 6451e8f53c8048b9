/**
 * An application that takes orders, as a process that a test can kill. Each order and its email are one transaction,
 * and many run at once. It prints `{"ready":true}`, then one line for each order whose COMMIT was answered.
 */
import pg from "pg"
import { createPosthorn } from "../index.ts"

const [connectionString = "", project = "", life = ""] = process.argv.slice(2)
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)

const pool = new pg.Pool({ connectionString, max: 8 })
const posthorn = await createPosthorn({
  database: { pool },
  mailer: { smtp: "smtp://127.0.0.1:1?tls=none" },
  publicUrl: "https://app.example",
  secret: "0123456789abcdef0123456789abcdef",
  settings: { devMode: true },
  workers: false
})
say({ ready: true })

const takeOrder = async (id: string) => {
  const client = await pool.connect()
  await client.query("begin")
  await client.query("insert into orders values ($1)", [id])
  await posthorn.transaction(
    client,
    (mail) => mail.send({ to: `${id}@example.com`, from: "hi@app.test", subject: id, body: "<p>Thank you</p>" }),
    project
  )
  await client.query("commit")
  client.release()
  say({ order: id })
}

let number = 0
const till = async () => {
  for (;;) await takeOrder(`order-${life}-${number++}`)
}
await Promise.all(Array.from({ length: 6 }, till))
