/** `npm run dev` when npm ends. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { Effect, Schema } from "effect"
import { eventually } from "../testing/Program.ts"

const root = resolve(import.meta.dirname, "../../../..")
const Line = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int }))

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const npmRunDev = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const inherited = Object.entries(process.env).filter(([name]) => !/^(?:POSTHORN_|NODE_|VITEST|npm_)/i.test(name))
      const args = ["run", "--silent", "dev", "--", "--json", "--port", "0", "--data-dir", folder]
      const npm = spawn("npm", args, {
        cwd: root,
        env: Object.fromEntries(inherited),
        stdio: ["ignore", "pipe", "ignore"]
      })
      let output = ""
      npm.stdout.setEncoding("utf8").on("data", (text) => {
        output += text
      })
      return { npm, output: () => output }
    }),
    ({ npm }) => Effect.sync(() => void (npm satisfies ChildProcess).kill("SIGKILL"))
  )

describe("npm run dev", () => {
  it.live.each(["SIGTERM", "SIGKILL"] as const)(
    "ends with npm after a %s, and unlocks the folder",
    (signal) =>
      Effect.gen(function* () {
        const folder = dataFolder()
        const { npm, output } = yield* npmRunDev(folder)
        const line = yield* eventually(Effect.sync(output), (text) => text.includes("\n"))
        const { pid } = yield* Schema.decodeUnknownEffect(Line)(line.trim())
        yield* Effect.addFinalizer(() => Effect.sync(() => isAlive(pid) && process.kill(pid, "SIGKILL")))
        npm.kill(signal)
        assert.isFalse(
          yield* eventually(
            Effect.sync(() => isAlive(pid)),
            (alive) => !alive
          )
        )
        assert.isFalse(existsSync(join(folder, "posthorn.lock")))
      }).pipe(Effect.scoped),
    180_000
  )
})
