/** Live streams over real connections to a real server: its end, its death, many listeners. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { createInterface } from "node:readline"
import { Posthorn } from "@posthorn/client"
import { builtProgram } from "@posthorn/core/testing/BuiltProgram"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { assert, describe, it } from "vitest"

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === "object" && address !== null ? address.port : 0
}

/** `posthorn dev`, which ends with the test. */
const develop = async (folder: string, port: number) => {
  const args = [await builtProgram(), "dev", "--json", "--port", String(port), "--data-dir", folder]
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, POSTHORN_CONSOLE: "off", POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
  })
  const exit = once(child, "exit")
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    exit.then(([code]) => Promise.reject(new Error(`posthorn dev ended with ${code}`)))
  ])
  const { url, secretKey } = JSON.parse(String(line))
  return {
    url: String(url),
    client: new Posthorn({ baseUrl: url, secretKey }),
    secretKey: String(secretKey),
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      const [code] = await exit
      return code
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL")
      await exit
    }
  }
}

/** A stream that is read as it arrives. */
const listen = async (url: string, key: string) => {
  const answer = await fetch(`${url}/live?topics=activity`, { headers: { authorization: `Bearer ${key}` } })
  let text = ""
  const over = (async () => {
    const decoder = new TextDecoder()
    for await (const part of answer.body ?? []) text += decoder.decode(part, { stream: true })
    return { at: Date.now(), isWhole: true }
  })().catch(() => ({ at: Date.now(), isWhole: false }))
  return { status: answer.status, text: () => text, over }
}

const until = async (what: string, isSo: () => boolean, most = 20_000) => {
  for (let waited = 0; waited < most; waited += 50) {
    if (isSo()) return
    await new Promise((done) => setTimeout(done, 50))
  }
  assert.fail(`In vain: ${what}`)
}

describe("Live streams of a server", () => {
  it("end at once and whole on SIGTERM", async () => {
    await using server = await develop(dataFolder(), 0)
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen(server.url, server.secretKey)))
    await until("positions", () => streams.every(({ text }) => text().includes("id: ")))
    const at = Date.now()
    const [code, ...ends] = await Promise.all([server.end("SIGTERM"), ...streams.map(({ over }) => over)])
    assert.strictEqual(code, 0)
    for (const end of ends) {
      assert.isTrue(end.isWhole)
      assert.isBelow(end.at - at, 2_000)
    }
    for (const { text } of streams) assert.match(text(), /\n\n$/)
  })

  it("are picked up by the client after the server was killed, and nothing is lost", async () => {
    const folder = dataFolder()
    const port = await freePort()
    const seen: Array<string> = []
    const leave = new AbortController()
    let following: Promise<void> | undefined
    const names = async (client: Posthorn) => {
      for await (const change of client.live(["activity"], { signal: leave.signal })) {
        if (change.event !== "activity") continue
        for (const { metadata } of change.data.entries)
          seen.push(String((metadata as { eventName?: string }).eventName))
      }
    }
    const track = (client: Posthorn, event: string) =>
      client.events.track({ email: "ada@example.com", event }).orThrow()
    {
      await using first = await develop(folder, port)
      following = names(first.client)
      await new Promise((done) => setTimeout(done, 1_000))
      await track(first.client, "before")
      await until("the first event", () => seen.includes("before"))
      await track(first.client, "just before the end")
      await first.end("SIGKILL")
    }
    await using second = await develop(folder, port)
    await track(second.client, "after")
    await until(
      "the events after the restart",
      () => seen.includes("after") && seen.includes("just before the end"),
      60_000
    )
    assert.strictEqual(new Set(seen).size, seen.length, "once each")
    leave.abort()
    await following
  })

  it("serve 200 listeners of a project, 20 of each key, and refuse more", async () => {
    await using server = await develop(dataFolder(), 0)
    const { client } = server
    const keys = [server.secretKey]
    for (let n = 1; n < 11; n++) {
      keys.push((await client.apiKeys.create({ name: `Key ${n}`, scopes: ["analytics:read"] }).orThrow()).key)
    }
    const streams: Array<Awaited<ReturnType<typeof listen>>> = []
    for (const key of keys.slice(0, 10)) {
      streams.push(...(await Promise.all(Array.from({ length: 20 }, () => listen(server.url, key)))))
    }
    assert.strictEqual(streams.filter(({ status }) => status === 200).length, 200)
    await until("positions", () => streams.every(({ text }) => text().includes("id: ")))
    const refused = await Promise.all([keys[0], keys[10]].map((key) => listen(server.url, key ?? "")))
    assert.deepStrictEqual(
      refused.map(({ status }) => status),
      [429, 429]
    )
    await client.events.track({ email: "ada@example.com", event: "for_all" }).orThrow()
    const at = Date.now()
    await until("the event at each listener", () => streams.every(({ text }) => text().includes("for_all")))
    assert.isBelow(Date.now() - at, 6_000)
    for (const { text } of streams) assert.strictEqual(text().split("for_all").length, 2)
  })
})
