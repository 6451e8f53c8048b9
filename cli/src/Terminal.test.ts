/** The command line in a pseudo-terminal, with `script` from util-linux. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import { builtProgram } from "@posthorn/core/testing/BuiltProgram"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { newFolder } from "./testing/CommandLine.ts"

const program = "/usr/bin/script"

const contact = {
  id: "019a9f3c-0000-7000-8000-0000000000a1",
  projectId: "019a9f3c-0000-7000-8000-0000000000b1",
  email: "ada@example.com",
  subscribed: true,
  data: { plan: "pro" },
  createdAt: "2026-03-01T10:00:00.000Z",
  updatedAt: "2026-03-01T10:00:00.000Z"
}

const asked: Array<string> = []
const server = createServer(({ method, url }, response) => {
  asked.push(`${method} ${url}`)
  if (method === "DELETE") return void response.writeHead(204).end()
  response.writeHead(200, { "content-type": "application/json" })
  const isOne = url?.startsWith(`/contacts/${contact.id}`)
  response.end(JSON.stringify(isOne ? contact : { data: [contact], hasMore: false, total: 1 }))
})
let address = ""
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const at = server.address()
  address = `http://127.0.0.1:${typeof at === "object" ? at?.port : ""}`
})
afterAll(() => {
  server.close().closeAllConnections()
})

/** Types `answer` after the first question. Returns the screen and the exit. */
const session = async (line: string, { answer = "", env = {} } = {}) => {
  const command = `stty cols 100 && '${process.execPath}' '${await builtProgram()}' ${line} --url ${address} --key sk_x`
  const child = spawn(program, ["-qec", command, "/dev/null"], {
    cwd: newFolder(),
    env: { PATH: process.env["PATH"], HOME: newFolder(), TERM: "xterm-256color", ...env }
  })
  // A program that ends at once reads no input.
  child.stdin.on("error", () => {})
  let screen = ""
  let answered = false
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text
    if (answered || !screen.includes("?")) return
    answered = true
    child.stdin.write(answer)
  })
  const [code] = await once(child, "close")
  return { code, screen, lines: screen.replaceAll("\r", "").trimEnd().split("\n") }
}

describe.skipIf(!existsSync(program))("in a terminal", () => {
  it("a list is a table with a highlighted head, unless NO_COLOR is set", async () => {
    const { code, lines } = await session("contacts list")
    const [head = "", row = ""] = lines
    assert.strictEqual(code, 0)
    assert.match(head, /^\u001b\[1mEMAIL/)
    assert.match(row, /^ada@example\.com {2,}/)
    assert.notInclude(row, "\t")
    const plain = await session("contacts list", { env: { NO_COLOR: "1" } })
    assert.notInclude(plain.screen, "\u001b[1m")
    assert.match(plain.lines[0] ?? "", /^EMAIL {2,}/)
  })

  it("a command that cannot be undone asks, and continues only after a yes", async () => {
    const no = await session("contacts delete ada@example.com", { answer: "n" })
    assert.strictEqual(no.code, 1)
    assert.include(no.screen, "Nothing was changed.")
    assert.notInclude(asked.join(), "DELETE")
    const yes = await session("contacts delete ada@example.com", { answer: "y" })
    assert.strictEqual(yes.code, 0)
    assert.include(asked.join(), `DELETE /contacts/${contact.id}`)
  })

  it("wrong usage is one helpful sentence, and ends with 2", async () => {
    const { code, lines } = await session("contacts lsit")
    assert.strictEqual(code, 2)
    assert.deepStrictEqual(lines, [
      "posthorn: There is no command contacts lsit. Did you mean list?",
      "  See `posthorn contacts --help`."
    ])
  })
})
