/**
 * The same in Hono. Any framework with `Request` and `Response` can use `posthorn.fetch`, such as Next, Bun and Deno.
 */
import { serve } from "@hono/node-server"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { createPosthorn } from "@posthorn/embedded"
import { Hono } from "hono"

const { DATABASE_URL, DATA_DIR = "./mail", PORT = "4002", SMTP_URL = "smtp://127.0.0.1:1025?tls=none" } = process.env

const posthorn = await createPosthorn({
  database: DATABASE_URL ?? { dataDir: DATA_DIR },
  mailer: { smtp: SMTP_URL },
  publicUrl: process.env["PUBLIC_URL"] ?? `http://127.0.0.1:${PORT}/mail`,
  secret: process.env["POSTHORN_SECRET"] ?? "only for this example, 32 bytes and more",
  settings: { devMode: true }
})
const [known] = await posthorn.run(Projects.use(({ list }) => list))
const project = known ?? (await posthorn.run(Projects.use(({ create }) => create("Hono")))).project
const mail = posthorn.client(project.id)
if (known === undefined) await mail.domains.add({ domain: "app.test" }).orThrow()

const app = new Hono()
app.all("/mail/*", (context) => posthorn.fetch(context.req.raw))

app.post("/orders/:id", async (context) => {
  const { email } = await context.req.json<{ email: string }>()
  const { data } = await mail.track({ event: "order placed", email, data: { order: context.req.param("id") } })
  return context.json({ event: data?.event })
})

const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" }, ({ port }) =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
)

process.once("SIGTERM", async () => {
  server.close()
  await posthorn.close()
})
