/** An Express application that sends its own mail, with Posthorn in the process. */
import { once } from "node:events"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { createPosthorn } from "@posthorn/embedded"
import express from "express"

const { DATABASE_URL, DATA_DIR = "./mail", PORT = "4001", SMTP_URL = "smtp://127.0.0.1:1025?tls=none" } = process.env
const publicUrl = process.env["PUBLIC_URL"] ?? `http://127.0.0.1:${PORT}/mail`

const posthorn = await createPosthorn({
  database: DATABASE_URL ?? { dataDir: DATA_DIR },
  mailer: { smtp: SMTP_URL },
  publicUrl,
  secret: process.env["POSTHORN_SECRET"] ?? "only for this example, 32 bytes and more",
  settings: { devMode: true } // domains below .test need no DNS
})

// One project is enough for an application. The first start creates it.
const [known] = await posthorn.run(Projects.use(({ list }) => list))
const project = known ?? (await posthorn.run(Projects.use(({ create }) => create("Express")))).project
const mail = posthorn.client(project.id)
if (known === undefined) await mail.domains.add({ domain: "app.test" }).orThrow()

const app = express()
app.use("/mail", posthorn.node) // opens, clicks, unsubscribe pages, and the API for those with a key
app.use(express.json())

app.post("/signups", async (request, response) => {
  const { data, error } = await mail.send({
    to: request.body.email,
    from: "hello@app.test",
    subject: "Welcome",
    body: '<p>Good to see you. <a href="{{unsubscribeUrl}}">No more mail</a></p>',
    subscribed: true
  })
  if (error) response.status(422).json({ message: error.message })
  else response.status(202).json({ email: data.emails[0]?.email })
})

const server = app.listen(Number(PORT), "127.0.0.1")
await once(server, "listening")
const address = server.address()
console.log(JSON.stringify({ url: `http://127.0.0.1:${typeof address === "object" ? address?.port : PORT}` }))

process.once("SIGTERM", async () => {
  server.close()
  server.closeAllConnections()
  await posthorn.close()
})
