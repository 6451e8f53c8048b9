import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { lines, posthorn } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

const patience = { timeout: 180_000 }

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn webhooks and events", (it) => {
  const connected = Effect.gen(function* () {
    const { url, secretKey, publicKey } = yield* DevServer.DevServer
    const ended = (...args: ReadonlyArray<string>) => posthorn([...args, "--url", url, "--key", secretKey])
    const json = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
      const { code, stdout, stderr } = yield* ended(...args, "--json")
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
    return { ended, json, track }
  })

  it.effect(
    "adds, changes, tests, replays and removes a webhook",
    () =>
      Effect.gen(function* () {
        const { ended, json } = yield* connected
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
        assert.strictEqual((yield* ended("webhooks", "replay", made.id)).code, 2)
        assert.strictEqual((yield* ended("webhooks", "rotate-secret", made.id)).code, 2)
        const [rotated] = yield* hook("rotate-secret", made.id, "--yes")
        assert.notStrictEqual(rotated.secret, made.secret)
        const wrong = yield* ended("webhooks", "add", "http://10.0.0.1/", "--events", "*")
        assert.strictEqual(wrong.code, 1)
        assert.include(wrong.stderr, "public host")
        assert.strictEqual((yield* ended("webhooks", "remove", made.id)).code, 2)
        yield* hook("remove", made.id, "--yes")
        assert.strictEqual((yield* ended("webhooks", "get", made.id)).code, 4)
      }),
    patience
  )

  it.effect(
    "shows events as they happen, a line of JSON for each in a pipe",
    () =>
      Effect.gen(function* () {
        const { ended, track } = yield* connected
        yield* track("first")
        yield* track("second")
        const following = ended("events", "tail", "--source", "tracked", "--limit", "1", "--count", "3")
        const meanwhile = Effect.andThen(
          Effect.promise(() => new Promise((done) => setTimeout(done, 4_000))),
          () => Effect.andThen(track("third"), track("fourth"))
        )
        const [{ code, stdout, stderr }] = yield* Effect.all([following, meanwhile], { concurrency: 2 })
        assert.strictEqual(code, 0, stderr)
        assert.deepStrictEqual(
          lines(stdout).map((line) => JSON.parse(line).name),
          ["second", "third", "fourth"]
        )
      }),
    patience
  )
})
