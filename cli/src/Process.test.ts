import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ended, lines, newFolder, posthorn, posthornProcess, started } from "./testing/CommandLine.ts"
import { firstLine } from "./testing/DevServer.ts"

/** Starts a server, and kills it if the test does not finish. */
const serving = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(started([...args, "--port", "0", "--json"], { env }), (child) =>
    Effect.sync(() => child.kill("SIGKILL"))
  )

const signalled = (child: ChildProcess, signal: "SIGINT" | "SIGTERM") =>
  Effect.suspend(() => {
    child.kill(signal)
    return ended(child)
  })

const smtp = { POSTHORN_SMTP_URL: "smtp://127.0.0.1:1" }

describe("a server", () => {
  it.effect(
    "in dev mode locks its folder until a signal shuts it down with 0, and then leaves the folder to the operator",
    () =>
      Effect.gen(function* () {
        const dataDir = newFolder()
        const child = yield* serving(["dev", "--data-dir", dataDir])
        const { pid, secretKey, url } = JSON.parse(yield* firstLine(child))
        assert.strictEqual(pid, child.pid)
        const as = ["--url", url, "--key", secretKey]
        assert.strictEqual((yield* posthorn(["domains", "add", "mail.example.com", ...as])).code, 0)

        const second = yield* posthornProcess(["dev", "--port", "0", "--data-dir", dataDir])
        assert.strictEqual(second.code, 1)
        assert.match(second.stderr, new RegExp(`in use by process ${pid}`))
        assert.notInclude(second.stderr, "login")

        assert.strictEqual((yield* signalled(child, "SIGINT")).code, 0)
        const over = ["mail.example.com", "--data-dir", dataDir, "--json"]
        // Log lines are not part of the result.
        const trusted = JSON.parse((yield* posthornProcess(["domains", "trust", "--yes", ...over])).stdout)
        assert.deepInclude(trusted, { domain: "mail.example.com", trusted: true, status: "VERIFIED" })
        const untrusted = JSON.parse((yield* posthornProcess(["domains", "verify", "--end-trust", ...over])).stdout)
        assert.isFalse(untrusted.trusted)
      })
  )

  it.effect("in dev mode receives SMTP on the given port, or fails with one sentence", () =>
    Effect.gen(function* () {
      const { port } = yield* silentServer
      const asked = ["dev", "--port", "0", "--data-dir", newFolder(), "--smtp-port"]
      const refused = yield* posthornProcess([...asked, `${port}`])
      assert.strictEqual(refused.code, 1)
      const reason = `posthorn: Port ${port} is in use; choose another one for the mailbox with --smtp-port, or 0 for a free one.`
      assert.deepStrictEqual(lines(refused.stderr).slice(-1), [reason])
      assert.strictEqual((yield* posthornProcess([...asked, "70000"])).code, 2)

      const child = yield* serving(["dev", "--data-dir", newFolder(), "--smtp-port", "0"])
      const { smtp } = JSON.parse(yield* firstLine(child))
      assert.match(smtp, /^smtp:\/\/127\.0\.0\.1:\d+$/)
      assert.notInclude(smtp, ":1025")
    })
  )

  it.effect("says in one line of JSON that it is ready, and logs to standard error", () =>
    Effect.gen(function* () {
      const child = yield* serving(["serve", "--data-dir", newFolder()], smtp)
      const ready = JSON.parse(yield* firstLine(child))
      assert.hasAllKeys(ready, ["url", "role", "database", "pid"])
      assert.deepInclude(ready, { role: "all", database: "embedded", pid: child.pid })
      const { code, stdout, stderr } = yield* signalled(child, "SIGTERM")
      assert.deepStrictEqual([code, stdout], [0, ""])
      for (const line of lines(stderr)) assert.property(JSON.parse(line), "level")
    })
  )

  it.effect("with an invalid configuration ends with 2 and one sentence", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* posthornProcess(["serve"])
      assert.strictEqual(code, 2)
      assert.match(stderr, /^posthorn: POSTHORN_SMTP_URL is not set; .*\n$/)
      assert.strictEqual((yield* posthornProcess(["worker"], { env: smtp })).code, 2)
    })
  )

  it.effect("that may not migrate fails if migrations are pending", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* posthornProcess(["serve", "--port", "0", "--no-migrate"], { env: smtp })
      assert.strictEqual(code, 1)
      assert.match(stderr, /posthorn: The database lacks 0001_projects/)
    })
  )
})

/** The address of a server that accepts requests and never answers, and its first request. */
const silentServer = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => createServer()),
    (server) => Effect.sync(() => server.close().closeAllConnections())
  )
  const asked = once(server, "request")
  yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : ""
  return { url: `http://127.0.0.1:${port}`, port, asked }
})

it.effect("a signal ends any other command with 128 plus its number", () =>
  Effect.gen(function* () {
    const { url, asked } = yield* silentServer
    const child = yield* started(["emails", "list", "--url", url, "--key", "sk_x"])
    yield* Effect.promise(() => asked)
    assert.strictEqual((yield* signalled(child, "SIGTERM")).code, 143)
  })
)

it.effect("doctor prints each check with its fix, and exits with 1 if one failed", () =>
  Effect.gen(function* () {
    const env = { POSTHORN_DNS_SERVERS: "127.0.0.1:1", POSTHORN_DATA_DIR: newFolder() }
    const { code, stdout, stderr } = yield* posthornProcess(["doctor", "--dev"], { env })
    assert.strictEqual(code, 1)
    assert.match(stderr, /^posthorn: 1 of \d+ checks failed\.\n$/)
    assert.match(stdout, /^failed\tdns\t[^\t]+\t[^\t]+$/m)
    const json = yield* posthornProcess(["doctor", "--dev", "--json"], { env })
    for (const line of lines(json.stdout)) assert.hasAllKeys(JSON.parse(line), ["check", "state", "found", "fix"])
  })
)
