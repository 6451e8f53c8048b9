import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { startSink } from "./SmtpSink.ts"

/** Sends commands in turn, each after the reply to the previous one. Returns all replies. */
const converse = (port: number, commands: ReadonlyArray<string>) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, "127.0.0.1")
    const left = [...commands]
    let heard = ""
    socket.on("data", (chunk) => {
      heard += chunk.toString()
      const next = left.shift()
      if (heard.endsWith("\r\n") && next !== undefined) socket.write(next)
    })
    socket.on("error", () => {})
    socket.on("close", () => resolve(heard))
  })

const dialogue = [
  "EHLO me\r\n",
  "MAIL FROM:<a@example.com>\r\n",
  "RCPT TO:<b@example.org>\r\n",
  "DATA\r\n",
  "Message-ID: <x@example.com>\r\n\r\n..dot\r\n.\r\n",
  "QUIT\r\n"
]

const codes = (heard: string) => [...heard.matchAll(/^(\d{3}) /gm)].map(([, code]) => code)

describe("the sink", () => {
  it("accepts a mail like a correct server, and lists it", async () => {
    const sink = await startSink()
    assert.deepStrictEqual(codes(await converse(sink.port, dialogue)), [
      "220",
      "250",
      "250",
      "250",
      "354",
      "250",
      "221"
    ])
    const [mail] = sink.mails
    assert.deepStrictEqual(
      [mail?.messageId, mail?.from, mail?.rcpt, mail?.raw.toString()],
      ["x@example.com", "a@example.com", "b@example.org", "Message-ID: <x@example.com>\r\n\r\n.dot\r\n"]
    )
    await sink.close()
  })

  it("records a message even if its reply is never read", async () => {
    const sink = await startSink({ misbehave: ({ stage }) => (stage === "dot" ? { drop: true } : undefined) })
    assert.deepStrictEqual(codes(await converse(sink.port, dialogue)), ["220", "250", "250", "250", "354"])
    assert.strictEqual(sink.accepted(), 1)
    await sink.close()
  })

  it("does not record a mail that it refuses", async () => {
    const sink = await startSink({
      misbehave: ({ stage }) => (stage === "dot" ? { reply: "451 4.3.0 No" } : undefined)
    })
    assert.include(await converse(sink.port, dialogue), "451 4.3.0 No")
    assert.strictEqual(sink.accepted(), 0)
    await sink.close()
  })

  it("can run as its own process, which prints its port and logs accepted messages", async () => {
    const log = join(mkdtempSync(join(tmpdir(), "posthorn-sink-")), "mails.ndjson")
    const file = fileURLToPath(new URL("SmtpSink.ts", import.meta.url))
    const child = spawn(
      process.execPath,
      [file, "--port", "0", "--log", log, "--every", "2", "--reply", "rcpt=451 4.7.1 later"],
      { stdio: ["ignore", "pipe", "inherit"] }
    )
    const [printed] = await once(child.stdout, "data")
    const port = Number(String(printed))
    assert.notInclude(await converse(port, dialogue), "451")
    assert.include(await converse(port, dialogue), "451 4.7.1 later")
    await converse(port, dialogue)
    child.kill("SIGTERM")
    assert.deepStrictEqual(await once(child, "exit"), [0, null])
    const lines = readFileSync(log, "utf8").trim().split("\n")
    assert.deepStrictEqual(
      lines.map((line) => {
        const { at, ...mail } = JSON.parse(line)
        return [typeof at, mail]
      }),
      Array.from({ length: 2 }, () => [
        "number",
        { messageId: "x@example.com", from: "a@example.com", rcpt: "b@example.org", isEncrypted: false, bytes: 37 }
      ])
    )
  })
})
