import type { ServerResponse } from "node:http"
import { assert, describe, it } from "vitest"
import { PosthornError } from "./Answer.ts"
import { Posthorn } from "./Posthorn.ts"
import { refusal, reset, ScriptedServer } from "./testing/ScriptedServer.ts"
import type { LiveEvent } from "./types.generated.ts"

const secretKey = `sk_${"a".repeat(43)}`

const stream =
  (...parts: ReadonlyArray<string>) =>
  (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const part of parts) response.write(part)
    response.end()
  }

const domain = (id: string) => `event: domain\ndata: {"id":"${id}","status":"VERIFIED"}\n\n`

/** The first events. */
const take = async (count: number, events: AsyncIterable<LiveEvent>) => {
  const taken: Array<LiveEvent> = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

describe("The live iteration", () => {
  it("parses events however they are cut, and leaves out comments and positions alone", async () => {
    await using server = await ScriptedServer.start()
    const text = `id: 1\n\n: still here\nid: 2\n\n${domain("ä")}id: 3\n\n${domain("b")}`
    const bytes = Buffer.from(text)
    server.answers((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      for (const byte of bytes) response.write(Uint8Array.of(byte))
      response.end()
    })
    const events = await take(2, new Posthorn({ baseUrl: server.url, secretKey }).live(["domains", "project"]))
    assert.deepStrictEqual(events, [
      { id: "2", event: "domain", data: { id: "ä", status: "VERIFIED" } },
      { id: "3", event: "domain", data: { id: "b", status: "VERIFIED" } }
    ])
    assert.strictEqual(server.received[0]?.url, "/live?topics=domains%2Cproject")
    assert.strictEqual(server.received[0]?.headers["last-event-id"], undefined)
    assert.strictEqual(server.received[0]?.headers["authorization"], `Bearer ${secretKey}`)
  })

  it("connects again after each end and continues after the last position", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      stream("id: 1\n\n", domain("a"), "id: 2\n\n"),
      reset,
      refusal(503, "SERVICE_UNAVAILABLE"),
      stream(domain("b"))
    )
    const live = new Posthorn({ baseUrl: server.url, secretKey }).live(undefined, { lastEventId: "0" })
    const events = await take(2, live)
    assert.deepStrictEqual(
      events.map(({ data }) => data),
      [
        { id: "a", status: "VERIFIED" },
        { id: "b", status: "VERIFIED" }
      ]
    )
    assert.deepStrictEqual(
      server.received.map(({ headers }) => headers["last-event-id"]),
      ["0", "2", "2", "2"]
    )
  })

  it("throws what another attempt cannot mend", async () => {
    await using server = await ScriptedServer.start()
    server.answers(refusal(403, "FORBIDDEN", {}, { reason: "scope", requiredScope: "analytics:read" }))
    const failure = await take(1, new Posthorn({ baseUrl: server.url, secretKey }).live()).catch(
      (error: unknown) => error
    )
    assert.instanceOf(failure, PosthornError)
    assert.strictEqual(failure.code, "FORBIDDEN")
    assert.lengthOf(server.received, 1)
  })

  it("ends with its signal, also while a stream is silent", async () => {
    await using server = await ScriptedServer.start()
    server.answers((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(domain("a"))
    })
    const controller = new AbortController()
    const seen: Array<string> = []
    for await (const { event } of new Posthorn({ baseUrl: server.url, secretKey }).live([], {
      signal: controller.signal
    })) {
      seen.push(event)
      controller.abort()
    }
    assert.deepStrictEqual(seen, ["domain"])
  })
})
