/**
 * Two servers and up to four workers on one PostgreSQL. Each worker makes sending faster, because the receiving server
 * replies slowly and a worker has only a few connections to it.
 */
import { Posthorn } from "@posthorn/client"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { command, type Started, started } from "./Processes.ts"

const { DATABASE_URL = "", MAILS = "200", WORKERS = "1,2,4" } = process.env
const mailsOfAWorker = Number(MAILS)
const delay = 100
const connections = 5

const peer = await startSink({ misbehave: ({ stage }) => (stage === "dot" ? { delay } : undefined) })
const settings = {
  POSTHORN_DATABASE_URL: DATABASE_URL,
  POSTHORN_SECRET: process.env["POSTHORN_SECRET"] ?? "only for this example, 32 bytes and more",
  POSTHORN_SMTP_URL: `smtp://127.0.0.1:${peer.port}?tls=none&pool=${connections}`,
  POSTHORN_PUBLIC_URL: "http://127.0.0.1:4007",
  POSTHORN_LOG_LEVEL: "warn"
}
const running: Array<Started> = []
const start = async (...args: ReadonlyArray<string>) => {
  const process = await started(args, settings)
  running.push(process)
  return process
}

// The first server migrates the database.
const api = [await start("serve", "--role", "api", "--port", "0")]
api.push(await start("serve", "--role", "api", "--port", "0"))
const { secretKey = "" } = command(
  ["accounts", "create", "--email", `${Date.now()}@example.com`, "--project", "Scale", "--password-stdin"],
  settings,
  "correct horse battery staple"
)
const clients = api.map(({ url }) => new Posthorn({ baseUrl: url, secretKey }))
await clients[0]?.domains.add({ domain: "scale.example.com" }).orThrow()
command(["domains", "trust", "scale.example.com", "--yes"], settings)

/** Sends half of the emails through each server and waits for all deliveries. Returns emails per second. */
const delivered = async (mails: number): Promise<number> => {
  const before = peer.mails.length
  await Promise.all(
    clients.map((client, turn) =>
      client
        .send({
          to: Array.from({ length: mails / clients.length }, (_, n) => `reader-${turn}-${n}@example.com`),
          from: "news@scale.example.com",
          subject: "One of many",
          body: "<p>Hi</p>"
        })
        .orThrow()
    )
  )
  while (peer.mails.length < before + mails) await new Promise((resolve) => setTimeout(resolve, 20))
  const times = peer.mails.slice(before).map(({ at }) => at)
  return ((mails - 1) * 1000) / (Math.max(...times) - Math.min(...times))
}

let workers = 0
for (const wanted of WORKERS.split(",").map(Number)) {
  await Promise.all(Array.from({ length: wanted - workers }, () => start("worker")))
  workers = wanted
  const mails = mailsOfAWorker * workers
  const perSecond = Math.round(await delivered(mails))
  console.log(JSON.stringify({ servers: api.length, workers, mails, perSecond }))
}

const twice = peer.mails.length - new Set(peer.mails.map(({ messageId }) => messageId)).size
await Promise.all(running.map(({ end }) => end()))
await peer.close()
console.log(JSON.stringify({ delivered: peer.mails.length, twice }))
