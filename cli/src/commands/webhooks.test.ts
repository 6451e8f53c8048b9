import { createServer, type IncomingHttpHeaders, request } from "node:http"
import { connect, createServer as createListener, type Socket } from "node:net"
import { assert, layer } from "@effect/vitest"
import { verifyWebhook } from "@posthorn/client"
import { Effect, Fiber } from "effect"
import { ended, lines, posthorn, started } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

const patience = { timeout: 180_000 }

const portOf = (server: { address: () => unknown }) => {
  const address = server.address()
  return typeof address === "object" && address !== null && "port" in address ? Number(address.port) : 0
}

/** A local application that receives webhooks. */
const receiver = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ calls: Array<{ body: string; headers: IncomingHttpHeaders }>; url: string; close: () => void }>(
        (resolve) => {
          const calls: Array<{ body: string; headers: IncomingHttpHeaders }> = []
          const server = createServer(async (request, response) => {
            const body = Buffer.concat(await request.toArray()).toString()
            calls.push({ body, headers: request.headers })
            response.writeHead(204).end()
          })
          server.listen(0, "127.0.0.1", () =>
            resolve({ calls, url: `http://127.0.0.1:${portOf(server)}/hooks`, close: () => server.close() })
          )
        }
      )
  ),
  ({ close }) => Effect.sync(close)
)

/** A port that leads to the service and can be closed, as if the service were away. */
const passage = (target: string) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const sockets = new Set<Socket>()
      const server = createListener((socket) => {
        const onward = connect(Number(target), "127.0.0.1")
        for (const each of [socket, onward]) sockets.add(each.on("error", () => socket.destroy()))
        socket.pipe(onward).pipe(socket)
      })
      const listen = (port: number) =>
        Effect.promise(() => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve())))
      yield* listen(0)
      const port = portOf(server)
      const close = Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            for (const socket of sockets) socket.destroy()
          })
      )
      return { port, close, open: listen(port) }
    }),
    ({ close }) => close
  )

/** A way to the service that notes requests, and can cut every open connection. */
const recorder = (target: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const requests: Array<{ path: string; lastEventId: unknown }> = []
      const server = createServer((asked, answer) => {
        requests.push({ path: asked.url ?? "", lastEventId: asked.headers["last-event-id"] })
        const { method = "GET", headers } = asked
        const onward = request(new URL(asked.url ?? "", target), { method, headers }, (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers)
          response.on("error", () => answer.destroy()).pipe(answer)
        })
        onward.on("error", () => answer.destroy())
        answer.on("close", () => onward.destroy())
        asked.pipe(onward)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
      return { requests, url: `http://127.0.0.1:${portOf(server)}`, cut: () => server.closeAllConnections(), server }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

/** Repeats an action once a second until the condition holds. */
const waitFor = <A, E, R>(action: () => Effect.Effect<A, E, R>, holds: () => boolean) =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 60 && !holds(); tries++) {
      yield* action()
      yield* Effect.promise(() => new Promise((done) => setTimeout(done, 1_000)))
    }
    assert.isTrue(holds())
  })

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn webhooks and events", (it) => {
  const connected = Effect.gen(function* () {
    const { url, secretKey, publicKey } = yield* DevServer.DevServer
    const called = (...args: ReadonlyArray<string>) => posthorn([...args, "--url", url, "--key", secretKey])
    const json = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
      const { code, stdout, stderr } = yield* called(...args, "--json")
      assert.strictEqual(code, 0, stderr)
      return lines(stdout).map((line) => JSON.parse(line))
    })
    const track = (event: string) =>
      Effect.promise(() =>
        fetch(`${url}/v1/track`, {
          method: "POST",
          headers: { authorization: `Bearer ${publicKey}`, "content-type": "application/json" },
          body: JSON.stringify({ email: "ada@example.com", event })
        })
      )
    return { called, json, track }
  })

  it.effect(
    "adds, changes, tests, replays and removes a webhook",
    () =>
      Effect.gen(function* () {
        const { called, json } = yield* connected
        const hook = (...args: ReadonlyArray<string>) => json("webhooks", ...args)
        // The URL has no listener: every attempt fails and is in the log.
        const [made] = yield* hook("add", "http://127.0.0.1:9/hook", "--events", "email.*", "--events", "event.tracked")
        assert.deepInclude(made, { events: ["email.*", "event.tracked"], enabled: true })
        assert.match(made.secret, /^whsec_/)
        assert.deepInclude((yield* hook("update", made.id, "--description", "mine", "--no-enabled"))[0], {
          description: "mine",
          enabled: false,
          events: ["email.*", "event.tracked"]
        })
        assert.deepInclude((yield* hook("get", made.id))[0], { id: made.id, description: "mine" })
        assert.lengthOf(yield* hook("list"), 1)
        const [test] = yield* hook("test", made.id)
        assert.strictEqual(test.type, "webhook.test")
        assert.strictEqual((yield* hook("deliveries", made.id))[0].id, test.id)
        assert.strictEqual((yield* hook("deliveries", made.id, test.id))[0].payload.type, "webhook.test")
        assert.strictEqual((yield* hook("replay", made.id, test.id))[0].status, "PENDING")
        assert.deepStrictEqual(yield* hook("replay", made.id, "--start-date", "2026-03-01"), [
          { id: made.id, queued: 0 }
        ])
        assert.strictEqual((yield* called("webhooks", "replay", made.id)).code, 2)
        assert.strictEqual((yield* called("webhooks", "rotate-secret", made.id)).code, 2)
        const [rotated] = yield* hook("rotate-secret", made.id, "--yes")
        assert.notStrictEqual(rotated.secret, made.secret)
        const wrong = yield* called("webhooks", "add", "http://10.0.0.1/", "--events", "*")
        assert.strictEqual(wrong.code, 1)
        assert.include(wrong.stderr, "public host")
        assert.strictEqual((yield* called("webhooks", "remove", made.id)).code, 2)
        yield* hook("remove", made.id, "--yes")
        assert.strictEqual((yield* called("webhooks", "get", made.id)).code, 4)
      }),
    patience
  )

  it.effect(
    "shows events as they are recorded, in a pipe as lines of JSON",
    () =>
      Effect.gen(function* () {
        const { track } = yield* connected
        const { url, secretKey } = yield* DevServer.DevServer
        yield* track("first")
        yield* track("second")
        const options = ["--source", "tracked", "--limit", "1", "--count", "3", "--url", url, "--key", secretKey]
        const child = yield* started(["events", "tail", ...options])
        const meanwhile = Effect.gen(function* () {
          yield* DevServer.firstLine(child)
          yield* track("third")
          yield* track("fourth")
        })
        const [{ code, stdout, stderr }] = yield* Effect.all([ended(child), meanwhile], { concurrency: 2 })
        assert.strictEqual(code, 0, stderr)
        assert.deepStrictEqual(
          lines(stdout).map((line) => JSON.parse(line).name),
          ["second", "third", "fourth"]
        )
      }),
    patience
  )

  it.effect(
    "follows the live stream, goes on after a break, and asks for events only when something has happened",
    () =>
      Effect.gen(function* () {
        const { track } = yield* connected
        const { url, secretKey } = yield* DevServer.DevServer
        const way = yield* recorder(url)
        yield* track("before")
        const options = ["--source", "tracked", "--limit", "1", "--count", "3", "--url", way.url, "--key", secretKey]
        const child = yield* started(["events", "tail", ...options])
        const result = yield* Effect.forkChild(ended(child), { startImmediately: true })
        const streams = () => way.requests.filter(({ path }) => path.startsWith("/live"))
        yield* waitFor(
          () => Effect.void,
          () => streams().length === 1
        )
        const asked = way.requests.length
        yield* Effect.promise(() => new Promise((done) => setTimeout(done, 5_000)))
        assert.isAtMost(way.requests.length, asked + 1, "one request in ten seconds")
        yield* track("live")
        yield* waitFor(
          () => Effect.void,
          () => way.requests.length > asked + 1
        )
        way.cut()
        yield* waitFor(
          () => Effect.void,
          () => streams().length === 2
        )
        assert.match(String(streams()[1]?.lastEventId), /^\S+$/)
        yield* track("after the break")
        const { code, stdout, stderr } = yield* Fiber.join(result)
        assert.strictEqual(code, 0, stderr)
        assert.deepStrictEqual(
          lines(stdout).map((line) => JSON.parse(line).name),
          ["before", "live", "after the break"]
        )
      }),
    patience
  )

  it.effect(
    "forwards new events to a local URL, signed like webhooks, even after the service was unreachable",
    () =>
      Effect.gen(function* () {
        const { track } = yield* connected
        const { url, secretKey } = yield* DevServer.DevServer
        const received = yield* receiver
        const way = yield* passage(new URL(url).port)
        const target = ["--url", `http://127.0.0.1:${way.port}`, "--key", secretKey]
        const listening = yield* started([
          "webhooks",
          "listen",
          "--forward-to",
          received.url,
          "--events",
          "event.*",
          ...target,
          "--count",
          "4",
          "--json"
        ])
        const result = yield* Effect.forkChild(ended(listening), { startImmediately: true })
        yield* waitFor(
          () => track("probe"),
          () => received.calls.length > 0
        )
        yield* way.close
        yield* track("while away")
        yield* way.open
        for (const name of ["last", "very last"]) yield* track(name)
        const { code, stdout, stderr } = yield* Fiber.join(result)
        assert.strictEqual(code, 0, stderr)
        const [first, ...rest] = lines(stdout).map((line) => JSON.parse(line))
        assert.match(first.secret, /^whsec_/)
        assert.deepStrictEqual(
          rest.map(({ type, statusCode }) => [type, statusCode]),
          Array(4).fill(["event.tracked", 204])
        )
        const events = yield* Effect.promise(() =>
          Promise.all(received.calls.map(({ body, headers }) => verifyWebhook(body, headers, first.secret)))
        )
        const names = events.map((event) => (event.type === "event.tracked" ? event.data.name : event.type))
        assert.strictEqual(new Set(received.calls.map(({ headers }) => headers["webhook-id"])).size, 4)
        assert.include(names, "while away")
      }),
    patience
  )

  it.effect("listen reports faulty options", () =>
    Effect.gen(function* () {
      const { called } = yield* connected
      const wrong = [
        ["--forward-to", "localhost:3001"],
        ["--forward-to", "http://localhost:3001", "--events", "nothing"],
        ["--forward-to", "http://localhost:3001", "--secret", "short"]
      ]
      for (const options of wrong) {
        const { code, stderr } = yield* called("webhooks", "listen", ...options)
        assert.strictEqual(code, 2, stderr)
      }
    })
  )
})
