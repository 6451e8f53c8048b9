/** A development server as a person starts it: `posthorn dev` with an empty embedded database in a folder. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { builtProgram } from "@posthorn/core/testing/BuiltProgram"
import { dataFolder } from "@posthorn/core/testing/DataFolder"

const root = resolve(import.meta.dirname, "../../../..")

export interface DevServer {
  readonly url: string
  readonly publicKey: string
  readonly secretKey: string
  readonly projectId: string
  readonly email: string
  readonly password: string
  readonly domain: string
  readonly stop: () => Promise<void>
  /** A request with the secret key. A body is sent as JSON. */
  readonly call: <A = unknown>(
    method: string,
    path: string,
    body?: unknown
  ) => Promise<{ readonly status: number; readonly body: A }>
}

const ended = (child: ChildProcess) =>
  new Promise<void>((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done()
    else child.once("exit", () => done())
  })

export const startDevServer = async (env: Record<string, string> = {}): Promise<DevServer> => {
  // Until a changed console is built again, the server would show the build before it.
  await promisify(execFile)(process.execPath, [join(root, "packages/console/build/main.ts")])
  const folder = dataFolder()
  const child = spawn(process.execPath, [await builtProgram(), "dev", "--json", "--port", "0", "--data-dir", folder], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let log = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text
  })
  const line = await new Promise<string>((resolveLine, reject) => {
    createInterface({ input: child.stdout }).once("line", resolveLine)
    child.once("exit", (code) => reject(new Error(`posthorn dev ended with ${code}: ${log}`)))
  })
  const ready = JSON.parse(line)
  return {
    ...ready,
    stop: async () => {
      child.kill("SIGTERM")
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
    call: async (method, path, body) => {
      const response = await fetch(ready.url + path, {
        method,
        headers: { authorization: `Bearer ${ready.secretKey}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, body: text === "" ? null : JSON.parse(text) }
    }
  }
}
