/** The server as a process of its own, which may be stopped, frozen or killed at any moment. */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect, type Scope } from "effect"

export interface Program {
  readonly pid: number
  /** Where it listens; empty for a worker, which does not. */
  readonly url: string
  /** At once, so that it may be called from within a conversation of the peer. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** Waits for its end: the exit code, or the signal that ended it. */
  readonly ended: Effect.Effect<number | NodeJS.Signals>
  /** All it has written to standard error. */
  readonly log: () => string
}

export type Environment = { readonly [variable: `POSTHORN_${string}`]: string }

const main = fileURLToPath(new URL("../../../../adapters/node/src/main.ts", import.meta.url))

const readiness = /^Posthorn is ready(?: at (\S+))? \(role /

/** A frozen process does not hear a polite signal, and a dead one does not mind this one. */
const end = (child: ChildProcess, ended: Promise<unknown>) =>
  Effect.promise(() => {
    child.kill("SIGKILL")
    return ended
  })

/** Waits until it is ready; dies with what the process said when it ends before. Killed when the scope closes. */
export const launch = Effect.fnUntraced(function* (
  environment: Environment
): Effect.fn.Return<Program, never, Scope.Scope> {
  const child = spawn(process.execPath, [main], {
    env: { NODE_ENV: "test", POSTHORN_LOG_LEVEL: "warn", POSTHORN_LOG_FORMAT: "json", ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let log = ""
  child.stderr.on("data", (chunk) => (log += chunk))
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once("exit", (code, signal) => resolve(signal ?? code ?? -1))
  )
  yield* Effect.addFinalizer(() => end(child, ended))

  const url = yield* Effect.callback<string>((resume) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = readiness.exec(line)
      if (found !== null) resume(Effect.succeed(found[1] ?? ""))
    })
    void ended.then((how) => resume(Effect.die(new Error(`The server ended with ${how} before it was ready:\n${log}`))))
  })
  return {
    pid: child.pid ?? 0,
    url,
    signal: (signal) => void child.kill(signal),
    ended: Effect.promise(() => ended),
    log: () => log
  }
})
