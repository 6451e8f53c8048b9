/** Runs the example and the tests of each client in another language, where the language is installed. */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { verifyWebhook, WebhookError } from "@posthorn/client"
import { dataFolder, newFolder } from "@posthorn/core/testing/DataFolder"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Running, running } from "../examples/testing/Running.ts"

const here = import.meta.dirname
const answers = (command: string, ...args: ReadonlyArray<string>) =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0

let dev: Running
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  dev = await running(`posthorn dev --json --port 0 --data-dir ${dataFolder()}`, {})
  env = { ...process.env, POSTHORN_URL: dev.line["url"], POSTHORN_KEY: dev.line["secretKey"] }
})
afterAll(async () => {
  assert.strictEqual(await dev.end(), 0)
})

/** Runs a program in the folder of a client or in another one, and returns all that it prints. */
const run = (folder: string, command: string, args: ReadonlyArray<string>, more: NodeJS.ProcessEnv = {}): string => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: resolve(here, folder),
    encoding: "utf8",
    env: { ...env, ...more }
  })
  assert.strictEqual(status, 0, stdout + stderr)
  return stdout + stderr
}

const sent = /The mail to anna@example\.com is (?:SENT|DELIVERED)\.\n$/

describe("Clients in other languages", () => {
  it.skipIf(!answers("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))"))(
    "Python: its tests, its example, and the blocks of its README",
    () => {
      const path = { PYTHONPATH: ".", PYTHONDONTWRITEBYTECODE: "1" }
      assert.match(
        run("python", "python3", ["-m", "unittest", "discover", "-s", "tests"], path),
        /Ran \d+ tests in [\s\S]*OK/
      )
      assert.match(run("python", "python3", ["example.py"], path), sent)
      const readme = readFileSync(join(here, "python/README.md"), "utf8")
      const [use = "", webhooks = ""] = Array.from(
        readme.matchAll(/^```python\n([\s\S]*?)^```/gm),
        ([, text = ""]) => text
      )
      const filled = use
        .replace('"sk_..."', JSON.stringify(env["POSTHORN_KEY"]))
        .replace('"https://mail.example.com"', JSON.stringify(env["POSTHORN_URL"]))
        .replace("hi@example.com", "hi@posthorn.test")
      assert.match(run("python", "python3", ["-c", filled], path), /anna@example\.com/)
      assert.strictEqual(run("python", "python3", ["-c", `${webhooks}\nprint(handle(b"{}", {}))`], path), "401\n")
    }
  )

  it.skipIf(!answers("go", "version"))("Go: its tests, its example, and the block of its README", () => {
    const path = { GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local" }
    assert.match(run("go", "go", ["test", "./..."], path), /^ok /)
    assert.strictEqual(run("go", "gofmt", ["-l", "."], path), "")
    assert.match(run("go", "go", ["run", "./example"], path), sent)
    const readme = readFileSync(join(here, "go/README.md"), "utf8")
    const [, use = ""] = /^```go\n([\s\S]*?)^```/m.exec(readme) ?? []
    const filled = use
      .replace('"sk_..."', JSON.stringify(env["POSTHORN_KEY"]))
      .replace('"https://mail.example.com"', JSON.stringify(env["POSTHORN_URL"]))
      .replace("hi@example.com", "hi@posthorn.test")
    const module = newFolder()
    writeFileSync(join(module, "main.go"), filled)
    writeFileSync(
      join(module, "go.mod"),
      `module example.com/mail\n\ngo 1.19\n\nrequire github.com/posthorn/posthorn/sdks/go v0.0.0\n\nreplace github.com/posthorn/posthorn/sdks/go => ${join(here, "go")}\n`
    )
    assert.match(run(module, "go", ["run", "."], path), /anna@example\.com/)
  })

  it.skipIf(!answers("php", "-r", "exit(PHP_VERSION_ID >= 80100 ? 0 : 1);"))(
    "PHP: its tests, its example, and the blocks of its README",
    () => {
      assert.match(run("php", "php", ["tests/run.php"]), /^\d+ checks passed\.\n$/)
      assert.match(run("php", "php", ["example.php"]), sent)
      const readme = readFileSync(join(here, "php/README.md"), "utf8")
      const [use = "", webhooks = ""] = Array.from(
        readme.matchAll(/^```php\n([\s\S]*?)^```/gm),
        ([, text = ""]) => text
      )
      const php = (text: string) => run("php", "php", ["-r", `require "autoload.php";\n${text}`])
      const filled = use
        .replace("'sk_...'", `'${env["POSTHORN_KEY"]}'`)
        .replace("'https://mail.example.com'", `'${env["POSTHORN_URL"]}'`)
        .replace("hi@example.com", "hi@posthorn.test")
      assert.match(php(filled), /anna@example\.com/)
      assert.strictEqual(php(`${webhooks}\necho handle("{}", []);`), "401")
    }
  )

  it("TypeScript: verifies the same calls of webhooks", async () => {
    const vectors: ReadonlyArray<{
      about: string
      now: number
      secret: string
      body: string
      headers: Record<string, string>
      content?: unknown
      reason?: string
    }> = JSON.parse(readFileSync(join(here, "webhook-vectors.json"), "utf8"))
    for (const { about, now, secret, body, headers, content, reason } of vectors) {
      vi.setSystemTime(now * 1000)
      const found = await verifyWebhook<unknown>(body, headers, secret).catch((error: unknown) => error)
      if (reason === undefined) assert.deepStrictEqual(found, content, about)
      else assert.strictEqual(found instanceof WebhookError ? String(found.reason) : found, reason, about)
    }
    vi.useRealTimers()
  })
})
