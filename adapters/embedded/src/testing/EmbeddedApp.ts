/**
 * An application with an embedded Posthorn, as a process that tests can kill.
 *
 * Reads commands from standard input, one JSON array a line, and answers each with one line: `send N`, `close`.
 */
import { createInterface } from "node:readline"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { Domains } from "@posthorn/core/mail/domains/Domains"
import { Effect } from "effect"
import { createPosthorn } from "../index.ts"

const [dataDir = "", smtp = ""] = process.argv.slice(2)
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const posthorn = await createPosthorn({
    database: { dataDir },
    mailer: { smtp },
    publicUrl: "https://app.example",
    secret: "0123456789abcdef0123456789abcdef",
    settings: { devMode: true }
  })
  const [known] = await posthorn.run(Projects.use(({ list }) => list))
  const project = known ?? (await posthorn.run(Projects.use(({ create }) => create("App")))).project
  if (known === undefined) {
    await posthorn.run(Effect.orDie(Domains.use(({ add }) => add(project.id, { domain: "app.test" }))))
  }
  const client = posthorn.client(project.id)
  say({ ready: true, project: project.id })
  for await (const line of createInterface({ input: process.stdin })) {
    const [command, argument] = JSON.parse(line)
    if (command === "send") {
      const { data, error } = await client.send({
        to: `to${argument}@example.com`,
        from: "hi@app.test",
        subject: `Number ${argument}`,
        body: "<p>Hi</p>"
      })
      say(data ? { email: data.emails[0]?.email } : { error: error?.code })
    }
    if (command === "close") {
      await posthorn.close()
      say({ closed: true })
      break
    }
  }
  process.stdin.unref()
} catch (error) {
  say({ refused: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}
