/** Builds the console of a clone in a process of its own. A published package is built already. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect, Layer } from "effect"

const builder = () => fileURLToPath(new URL("../build/main.ts", import.meta.resolve("@posthorn/console")))

/** Lines of the output of a failed build, for the log. */
const lastLines = (output: string) => output.trim().split("\n").slice(0, 3).join(" ")

const build = (script: string) =>
  Effect.callback<void>((resume) => {
    const child = spawn(process.execPath, [script], { stdio: ["ignore", "ignore", "pipe"] })
    let output = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(0, 10_000)
    })
    const failed = (why: string) => resume(Effect.logError(`The console could not be built: ${why}`))
    child.on("error", ({ message }) => failed(message))
    child.on("close", (code) => (code === 0 ? resume(Effect.void) : failed(lastLines(output))))
    return Effect.sync(() => child.kill())
  })

/** Runs beside the service and ends with it. */
export const layer: Layer.Layer<never> = Layer.effectDiscard(
  Effect.suspend(() => {
    const script = builder()
    return existsSync(script) ? Effect.forkScoped(build(script)) : Effect.void
  })
)
