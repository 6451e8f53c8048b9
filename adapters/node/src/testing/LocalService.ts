/** A server of another project on a free port of this machine, such as Redis. For tests. */
import { spawn, spawnSync } from "node:child_process"
import { connect } from "node:net"
import { Effect, type Scope } from "effect"
import { freePort } from "./Forwarder.ts"
import { eventually } from "./Program.ts"

/** Its package is installed. */
export const isInstalled = (program: string): boolean => spawnSync(program, ["--version"]).status === 0

const accepts = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resume(Effect.succeed(true)))
    socket.once("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => socket.destroy())
  })

export interface LocalService {
  readonly port: number
  /** Kills it, as if the machine lost its power. */
  readonly kill: Effect.Effect<void>
  /** Returns when it accepts connections. */
  readonly start: Effect.Effect<void>
}

/** Runs until the scope closes. */
export const localService = (
  program: string,
  argvOf: (port: number) => ReadonlyArray<string>
): Effect.Effect<LocalService, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = yield* freePort
    let child: ReturnType<typeof spawn> | undefined
    const kill = Effect.callback<void>((resume) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
      child.once("exit", () => resume(Effect.void))
      child.kill("SIGKILL")
    })
    const start = Effect.andThen(
      Effect.sync(() => {
        child = spawn(program, argvOf(port), { stdio: "ignore" })
      }),
      Effect.asVoid(eventually(accepts(port), (isOpen) => isOpen))
    )
    yield* Effect.addFinalizer(() => kill)
    yield* start
    return { port, kill, start }
  })

export const redis = localService("redis-server", (port) => [
  ...["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", "/tmp"]
])

export const nats = localService("nats-server", (port) => ["-a", "127.0.0.1", "-p", String(port)])
