/** Sends one email through a custom transport and prints its final state. */
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { createPosthorn } from "@posthorn/embedded"
import * as FolderMailer from "./FolderMailer.ts"

const { DATABASE_URL, DATA_DIR = "./mail", OUTBOX = "./outbox" } = process.env

const posthorn = await createPosthorn({
  database: DATABASE_URL ?? { dataDir: DATA_DIR },
  mailer: FolderMailer.layer(OUTBOX),
  publicUrl: "http://127.0.0.1:4005",
  secret: process.env["POSTHORN_SECRET"] ?? "only for this example, 32 bytes and more",
  settings: { devMode: true }
})
const { project } = await posthorn.run(Projects.use(({ create }) => create("Files")))
const mail = posthorn.client(project.id)
await mail.domains.add({ domain: "app.test" }).orThrow()

const { emails } = await mail
  .send({ to: "anna@example.com", from: "hi@app.test", subject: "A file", body: "<p>Hi</p>" })
  .orThrow()
const id = emails[0]?.email ?? ""
const statusOf = async () => (await mail.emails.get(id).orThrow()).status
while ((await statusOf()) !== "SENT") await new Promise((resolve) => setTimeout(resolve, 50))
console.log(`${id} is SENT`)
await posthorn.close()
