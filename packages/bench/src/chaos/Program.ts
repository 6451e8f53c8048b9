/** The server as a separate process, which can be stopped, frozen or killed at any moment. */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { builtProgram } from "@posthorn/core/testing/BuiltProgram"
import { pooledEnvironment } from "@posthorn/core/testing/PgBouncer"
import { Effect, type Scope } from "effect"

export interface Program {
  readonly pid: number
  /** The URL it listens on; empty for a worker, which does not listen. */
  readonly url: string
  /** Synchronous, so that it can be called from within the dialogue of the peer. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** Waits for its end: the exit code, or the signal that ended it. */
  readonly ended: Effect.Effect<number | NodeJS.Signals>
  /** All it has written to standard error. */
  readonly log: () => string
  /** From now on its wall clock differs by this many milliseconds. Only if it was launched for that. */
  readonly setClock: (milliseconds: number) => Effect.Effect<void>
}

export type Environment = {
  readonly [variable: `POSTHORN_${string}`]: string
  /** A file of certificates to trust in addition to those of Node. */
  readonly NODE_EXTRA_CA_CERTS?: string
}

export interface Options {
  readonly hasMovableClock?: boolean
  /** The URL of a module that is loaded before the program. */
  readonly preload?: string | undefined
}

/** A module that is loaded before the program changes its sources, not those in a bundle. */
const sources = fileURLToPath(new URL("../../../../adapters/node/src/main.ts", import.meta.url))
const movableClock = new URL("./MovableClock.ts", import.meta.url).href

const readiness = /^Posthorn is ready(?: at (\S+))? \(role /

/** SIGKILL, because a frozen process does not handle SIGTERM. A dead process is not affected. */
const end = (child: ChildProcess, ended: Promise<unknown>) =>
  Effect.promise(() => {
    child.kill("SIGKILL")
    return ended
  })

const open = (main: string, environment: Environment, { hasMovableClock, preload }: Options): ChildProcess => {
  const env = {
    NODE_ENV: "test",
    POSTHORN_LOG_LEVEL: "warn",
    POSTHORN_LOG_FORMAT: "json",
    ...pooledEnvironment(environment)
  }
  const modules = [...(hasMovableClock === true ? [movableClock] : []), ...(preload === undefined ? [] : [preload])]
  return spawn(process.execPath, [...modules.flatMap((url) => ["--import", url]), main, "serve"], {
    env,
    stdio: ["ignore", "pipe", "pipe", ...(hasMovableClock === true ? ["ipc" as const] : [])]
  })
}

/**
 * Waits until it is ready, and dies with the output of the process if it ends first. It is killed when the scope
 * closes.
 */
export const launch = Effect.fnUntraced(function* (
  environment: Environment,
  options: Options = {}
): Effect.fn.Return<Program, never, Scope.Scope> {
  const main = options.preload === undefined ? yield* Effect.promise(builtProgram) : sources
  const child = open(main, environment, options)
  let log = ""
  child.stderr?.on("data", (chunk) => (log += chunk))
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once("exit", (code, signal) => resolve(signal ?? code ?? -1))
  )
  yield* Effect.addFinalizer(() => end(child, ended))

  const url = yield* Effect.callback<string>((resume) => {
    if (child.stdout === null) return
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
    log: () => log,
    setClock: (milliseconds) =>
      Effect.callback((resume) => {
        child.once("message", () => resume(Effect.void))
        child.send(milliseconds)
      })
  }
})
