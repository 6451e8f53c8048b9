/**
 * An application with a login of its own and the console of Posthorn among its pages. The people of the application have
 * no second account: it says who asks, and which projects that person may use.
 */
import { randomUUID } from "node:crypto"
import { serve } from "@hono/node-server"
import { createPosthorn } from "@posthorn/embedded"
import { Hono } from "hono"
import { getCookie, setCookie } from "hono/cookie"

const { DATABASE_URL, DATA_DIR = "./mail", PORT = "4003" } = process.env
const publicUrl = process.env["PUBLIC_URL"] ?? `http://127.0.0.1:${PORT}`

const posthorn = await createPosthorn({
  database: DATABASE_URL ?? { dataDir: DATA_DIR },
  mailer: { smtp: process.env["SMTP_URL"] ?? "smtp://127.0.0.1:1025?tls=none" },
  publicUrl: `${publicUrl}/mail`,
  secret: process.env["POSTHORN_SECRET"] ?? "only for this example, 32 bytes and more",
  settings: { devMode: true } // domains below .test need no DNS
})
const shop = await posthorn.ensureProject("Shop")
const news = await posthorn.ensureProject("News")

/** In place of the users and sessions that an application has. */
const people = {
  ada: { role: "ADMIN", projects: [shop.id, news.id] },
  bob: { role: "MEMBER", projects: [news.id] }
} as const
const sessions = new Map<string, keyof typeof people>()
const isPerson = (name: unknown): name is keyof typeof people => typeof name === "string" && name in people

const mail = posthorn.console({
  basePath: "/admin/mail",
  authorize: (request) => {
    const [, session = ""] = /(?:^|; )session=([\w-]+)/.exec(request.headers.get("cookie") ?? "") ?? []
    const name = sessions.get(session)
    if (name === undefined) return null
    const { projects, role } = people[name]
    return { userId: name, email: `${name}@app.example`, projects: projects.map((id) => ({ id, role })) }
  },
  signInUrl: "/login",
  title: "Mail of the shop",
  frameAncestors: ["'self'"]
})

const app = new Hono()
app.all("/mail/*", (context) => posthorn.fetch(context.req.raw)) // the links in emails
app.all("/admin/mail/*", (context) => mail.fetch(context.req.raw))

app.get("/login", ({ html }) =>
  html(`<!doctype html><html lang="en"><title>Shop</title><h1>The login of the shop</h1>
<form method="post"><label>Name <input name="name"></label> <button>Sign in</button></form>`)
)
app.post("/login", async (context) => {
  const { name } = await context.req.parseBody()
  if (!isPerson(name)) return context.redirect("/login", 303)
  const session = randomUUID()
  sessions.set(session, name)
  setCookie(context, "session", session, { httpOnly: true, sameSite: "Lax", path: "/" })
  return context.redirect("/admin/mail", 303)
})
app.get("/", (context) =>
  context.html(`<!doctype html><html lang="en"><title>Shop</title><h1>Hello ${sessions.get(getCookie(context, "session") ?? "") ?? "stranger"}</h1>
<iframe title="Mail" src="/admin/mail" width="1000" height="700"></iframe>`)
)

const client = posthorn.client(shop.id)
await client.domains.add({ domain: "shop.test" })
await client.send({ to: "carl@example.com", from: "hello@shop.test", subject: "Your order", body: "<p>Thank you.</p>" })

const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" }, ({ port }) =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
)

process.once("SIGTERM", async () => {
  server.close()
  await posthorn.close() // also ends the live streams of open consoles
})
