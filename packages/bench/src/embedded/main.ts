/**
 * `npm run memory -w @posthorn/bench -- [--mails 10000] [--mailbox]` sends mails from an application with
 * an embedded Posthorn in a folder, and prints the memory of its process in MB at each tenth: one line of JSON each.
 * The mailer discards the mails; with `--mailbox` the dev mailbox keeps the last of them.
 *
 * A process of its own makes the database first: making one takes 200 MB that a process keeps, and happens once.
 */
import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Mailer } from "@posthorn/core/platform/Mailer"
import { createPosthorn, type PosthornOptions } from "@posthorn/embedded"
import { Effect, Layer } from "effect"
import { peakOfStatus, rssOfStatus } from "../machine/ProcessTimes.ts"

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    mails: { type: "string", default: "10000" },
    mailbox: { type: "boolean", default: false }
  }
})
const mails = Number(values.mails)

const discarding = Layer.succeed(Mailer, {
  send: () => Effect.succeed({ transport: "none", remoteHost: "none", code: 250, reply: "Discarded" }),
  concurrency: 10,
  state: Effect.succeed("ok" as const)
})

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024)

const say = async (at: string) => {
  const status = await readFile("/proc/self/status", "utf8")
  const { arrayBuffers, external, heapTotal, heapUsed } = process.memoryUsage()
  const memory = {
    rss: Math.round(rssOfStatus(status)),
    peak: Math.round(peakOfStatus(status)),
    heap: megabytes(heapTotal),
    live: megabytes(heapUsed),
    external: megabytes(external),
    buffers: megabytes(arrayBuffers)
  }
  console.log(JSON.stringify({ at, ...memory }))
}

if (values.folder === undefined) {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-memory-"))
  const again = (...more: ReadonlyArray<string>) =>
    execFileSync(process.execPath, [...process.execArgv, import.meta.filename, "--folder", folder, ...more], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"]
    })
  again("--mails", "0")
  process.stdout.write(again(...process.argv.slice(2)))
  await rm(folder, { recursive: true, force: true })
  process.exit()
}

await say("imported")
const { folder } = values
const own = {
  database: { dataDir: folder },
  publicUrl: "http://localhost:3000",
  secret: "0123456789abcdef0123456789abcdef",
  settings: { rateLimitPerMinute: 0, devMode: true }
}
const options: PosthornOptions = values.mailbox ? { ...own, dev: true } : { ...own, mailer: discarding }
const posthorn = await createPosthorn(options)
const client = posthorn.client((await posthorn.ensureProject("Memory")).id)
if (mails === 0) await client.domains.add({ domain: "app.test" }).orThrow()
await say("started")

const sendOne = (number: number) =>
  client
    .send({
      to: `reader${number}@example.com`,
      from: "news@app.test",
      subject: `Order ${number}`,
      body: `<p>Hello reader ${number}, <a href="https://shop.example/orders/${number}">your order</a> is on its way.</p>`
    })
    .orThrow()

const leftIn = async (status: "PENDING" | "SENDING") =>
  (await client.emails.list({ status, limit: 1 }).page().orThrow()).data.length

const begun = performance.now()
const tenth = Math.max(1, Math.floor(mails / 10))
for (let sent = 0; sent < mails; sent += tenth) {
  let next = sent
  const sender = async () => {
    while (next < Math.min(mails, sent + tenth)) await sendOne(next++)
  }
  await Promise.all(Array.from({ length: 20 }, sender))
  while ((await leftIn("PENDING")) + (await leftIn("SENDING")) > 0) await new Promise((go) => setTimeout(go, 100))
  await say(`${Math.min(mails, sent + tenth)} sent`)
}
const seconds = (performance.now() - begun) / 1_000
if (globalThis.gc !== undefined) {
  await globalThis.gc({ type: "major", execution: "async" })
  await say("collected")
}
console.log(JSON.stringify({ mails, seconds: Math.round(seconds), perSecond: Math.round(mails / seconds) }))
await posthorn.close()
