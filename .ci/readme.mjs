// `npm run readme` runs the commands of the README on a fresh clone. The server's part needs a PostgreSQL that may
// create databases: POSTHORN_TEST_DATABASE_URL, or one on 127.0.0.1:5432. Without one, that part is skipped with a
// message.
import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")
const place = mkdtempSync(join(tmpdir(), "posthorn-readme-"))
const clone = join(place, "posthorn")
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("POSTHORN_"))),
  // What is in the cache of npm is not asked for again.
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false"
}
const step = (text) => process.stdout.write(`${text}\n`)

const shell = (command, input) =>
  execFileSync("bash", ["-euo", "pipefail", "-c", command], {
    cwd: clone,
    env,
    input,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "inherit"]
  })

/** Runs until the output is ready, then does the work, and ends the process as Ctrl+C does. */
const during = async (command, isReady, work) => {
  const child = spawn("bash", ["-c", command], {
    cwd: clone,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "exit")
  let output = ""
  try {
    for await (const chunk of child.stdout) {
      output += chunk
      if (isReady(output)) break
    }
    return await work(output)
  } finally {
    process.kill(-child.pid, "SIGINT")
    await ended
  }
}

step("A fresh clone.")
execFileSync("git", ["clone", "--quiet", root, clone])
const readme = readFileSync(join(clone, "README.md"), "utf8")
const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block)
const withoutComment = (line) => line.replace(/\s+#.*$/, "")

const [start, test] = blocks[0].split("\n").map(withoutComment)
assert.ok(start.includes("npm run dev") && test.includes("npm test"))
step(`$ ${start}`)
const isWelcome = (output) => output.includes("Ctrl+C")
const secretKey = (output) => /Secret key\s+(sk_\S+)/.exec(output)?.[1]
const first = await during(start, isWelcome, async (output) => {
  const curl =
    /^\s*curl [\s\S]*?'$/m.exec(output.slice(output.indexOf("Send a first mail")))?.[0] ?? assert.fail(output)
  assert.equal(JSON.parse(shell(curl)).success, true)
  return output
})
step("$ npm run dev, a second time: the same keys.")
await during("npm run dev", isWelcome, (output) => assert.equal(secretKey(output), secretKey(first)))

const { POSTHORN_TEST_DATABASE_URL: server = "postgres://postgres@127.0.0.1:5432/test" } = process.env
const name = `posthorn_readme_${process.pid}`
const database = new URL(server)
database.pathname = `/${name}`
const psql = (statement) => execFileSync("psql", [server, "-qc", statement], { stdio: ["ignore", "ignore", "ignore"] })
const hasServer = () => {
  try {
    psql(`create database ${name}`)
    return true
  } catch {
    return false
  }
}
if (!hasServer()) step("SKIPPED: the server's commands, as no PostgreSQL answers.")
else {
  try {
    const lines = blocks[1].trim().split("\n").map(withoutComment)
    const settings = lines
      .filter((line) => line.startsWith("export "))
      .map((line) => line.replace(/postgres:\S+/, database.href).replace(/smtp:\S+/, "smtp://127.0.0.1:2525?tls=none"))
    const [migrate, accounts, serve] = lines.filter((line) => line.startsWith("npx "))
    // They share one secret.
    const secret = `export POSTHORN_SECRET=${shell(settings[0].replace(/^export \w+=/, "echo "))}`.trim()
    const all = [secret, ...settings.slice(1), "export POSTHORN_PORT=0"].join("\n")
    step(`$ ${migrate}`)
    shell(`${all}\n${migrate}`)
    step(`$ ${accounts}`)
    assert.match(shell(`${all}\n${accounts} --password-stdin`, "correct horse battery staple\n"), /sk_/)
    step(`$ ${serve}`)
    await during(
      `${all}\n${serve}`,
      (output) => /http:\/\/\S+:\d+/.test(output),
      async (output) => {
        const url = /http:\/\/\S+:\d+/.exec(output)[0]
        assert.equal((await fetch(`${url}/docs`)).status, 200)
        assert.equal((await (await fetch(`${url}/openapi.json`)).json()).openapi, "3.1.0")
      }
    )
  } finally {
    psql(`drop database ${name} with (force)`)
  }
}
for (const [, path] of readme.matchAll(/\]\((?!https?:)([^)#]+)/g)) assert.ok(existsSync(join(clone, path)), path)
rmSync(place, { recursive: true })
step("The README holds.")
