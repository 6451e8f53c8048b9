// Follows the guide for Next.js in an empty folder: installs, writes its files, starts the development server, posts orders
// while a file changes, builds, and starts what was built.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { dirname, join, resolve } from "node:path"
import { setTimeout as delay } from "node:timers/promises"

const guide = readFileSync(resolve(import.meta.dirname, "../examples/embedded-next/README.md"), "utf8")
const [toInstall, toDevelop, toOrder, inProduction] = [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) =>
  text.trim()
)
const [toBuild, ...toStart] = inProduction.split("\n")
/** Files by name: a block after a line that begins with its name. */
const files = [...guide.matchAll(/^`([^`\n]+)`[^\n]*:\n\n```(?:tsx|js)\n([\s\S]*?)^```/gm)]

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address()
  server.close()
  return port
}

/** Repeats a question until the answer is there. */
const until = async (what, ask) => {
  for (let tries = 0; tries < 240; tries++) {
    const answer = await ask()
    if (answer) return answer
    await delay(500)
  }
  throw new Error(`After two minutes: no ${what}.`)
}

/** Runs a command of a server on a free port, uses the server, and ends it. */
const during = async (folder, command, environment, use) => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const server = spawn("sh", ["-c", `exec ${command} --port ${port}`], {
    cwd: folder,
    env: { ...environment, PUBLIC_URL: `${url}/mail` },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true
  })
  let output = ""
  for (const stream of [server.stdout, server.stderr])
    stream.on("data", (chunk) => {
      output += chunk
    })
  try {
    await until("answer", () => fetch(`${url}/nothing`).catch(() => assert.equal(server.exitCode, null)))
    await use(url)
  } catch (error) {
    process.stderr.write(output)
    throw error
  } finally {
    const ended = once(server, "exit")
    if (server.exitCode === null) {
      process.kill(-server.pid, "SIGKILL")
      await ended
    }
  }
}

/** `run` runs a command in a folder and returns what it printed. */
export const followNextGuide = async (folder, run, given) => {
  const environment = { ...given, NEXT_TELEMETRY_DISABLED: "1" }
  const shell = (command) => run(folder, "sh", ["-c", command], environment)
  assert.equal(files.length, 4)
  for (const [, name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  await shell(toInstall)
  const order = (url, id) =>
    shell(
      toOrder
        .replace(/\s+#.*/, "")
        .replace("http://localhost:3000", url)
        .replace("A-7", id)
        .replace("curl", "curl --silent")
    )

  await during(folder, toDevelop, environment, async (url) => {
    const subjects = async () =>
      (await (await fetch(`${url}/mail/dev/mailbox.json?content=false&limit=100`)).json()).data.map(
        ({ subject }) => subject
      )
    const arrives = (wanted) => until(`mail ${wanted}`, async () => (await subjects()).includes(wanted))
    for (const _ of ["posted", "posted again"]) assert.deepEqual(JSON.parse(await order(url, "A-7")), { id: "A-7" })
    await arrives("Order A-7")
    const route = join(folder, "app/orders/route.ts")
    writeFileSync(route, readFileSync(route, "utf8").replace("Order {{order}}", "Your order {{order}}"))
    // The development server sees the change some moments later. Each order has a mail of its own.
    let next = 8
    await until("changed route", async () => {
      const id = `A-${next++}`
      assert.deepEqual(JSON.parse(await order(url, id)), { id })
      const found = await until("mail", async () => (await subjects()).find((subject) => subject.includes(id)))
      return found === `Your order ${id}`
    })
    assert.ok((await subjects()).includes("Order A-7"), "Another Posthorn was started.")
    await order(url, "last")
    await arrives("Your order last")
    assert.equal((await subjects()).filter((subject) => subject.endsWith("A-7")).length, 1)
  })

  await shell(toBuild)
  const started = toStart
    .join("")
    .replaceAll("\\", "")
    .replace(/(?:[A-Z_]+=(?:"[^"]*"|\S+)\s+)+/, "")
  const production = {
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_DOMAIN: "shop.example",
    POSTHORN_SECRET: "0123456789abcdef0123456789abcdef"
  }
  await during(folder, started, { ...environment, ...production }, async (url) => {
    assert.equal((await fetch(`${url}/mail/health`)).status, 200)
    assert.equal((await fetch(`${url}/mail/dev/mailbox`)).status, 404)
    // In production, a sender needs a domain that was verified.
    const { status } = await fetch(`${url}/orders`, {
      method: "POST",
      body: JSON.stringify({ id: "B-1", email: "anna@example.com" })
    })
    assert.equal(status, 422)
  })
}
