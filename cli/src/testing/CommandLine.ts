/** Runs the command line as a script does, without a terminal. For tests. */
import { type ChildProcess, spawn } from "node:child_process"
import { format } from "node:util"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { builtProgram } from "@posthorn/core/testing/BuiltProgram"
import { newFolder } from "@posthorn/core/testing/DataFolder"
import { ConfigProvider, Console, Effect, Layer, Sink, Stdio, Stream } from "effect"
import { TestClock } from "effect/testing"
import { run } from "../Cli.ts"
import { Signals } from "../Failure.ts"

export { newFolder }

/** The configuration folder of commands, unless a test sets another. */
const home = newFolder()

export interface Surroundings {
  /** Added to the few variables that a process needs. The environment of the test run is not inherited. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** All of standard input. Default: empty. */
  readonly input?: string | undefined
  readonly cwd?: string | undefined
}

export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process of the program that users install, with its output as text. */
export const started = (
  args: ReadonlyArray<string>,
  { env, input = "", cwd }: Surroundings = {}
): Effect.Effect<ChildProcess> =>
  Effect.map(Effect.promise(builtProgram), (main) => {
    const { PATH = "", HOME = "" } = process.env
    const surroundings = { PATH, HOME, XDG_CONFIG_HOME: home, ...env }
    const child = spawn(process.execPath, [main, ...args], { cwd: cwd ?? newFolder(), env: surroundings })
    child.stdout?.setEncoding("utf8")
    child.stderr?.setEncoding("utf8")
    child.stdin?.end(input)
    return child
  })

/** The result of a process after it has ended. */
export const ended = (child: ChildProcess): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    let stdout = ""
    let stderr = ""
    child.stdout?.on("data", (text: string) => {
      stdout += text
    })
    child.stderr?.on("data", (text: string) => {
      stderr += text
    })
    child.on("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Runs one command line to its end in a separate process. */
export const posthornProcess = (args: ReadonlyArray<string>, surroundings?: Surroundings): Effect.Effect<Ended> =>
  Effect.flatMap(started(args, surroundings), ended)

/** Collects the output of a command line instead of the streams of this process. */
const recorder = () => {
  const written: Array<string> = []
  const decoder = new TextDecoder()
  const write = (chunk: string | Uint8Array): void => {
    written.push(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }))
  }
  const writing = (chunk: string | Uint8Array) => Effect.sync(() => write(chunk))
  return {
    sink: () => Sink.forEach(writing),
    line: (...values: ReadonlyArray<unknown>) => write(`${format(...values)}\n`),
    text: () => written.join("")
  }
}

/** Changes the working directory, so nothing else may run in the test file meanwhile. Commands may change the umask. */
const inFolder = <A, E, R>(folder: string, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const before = { folder: process.cwd(), umask: process.umask() }
      process.chdir(folder)
      return before
    }),
    () => effect,
    (before) =>
      Effect.sync(() => {
        process.chdir(before.folder)
        process.umask(before.umask)
      })
  )

/** Runs one command line to its end in this process: the same program without the half second that a process takes. */
export const posthorn = (
  args: ReadonlyArray<string>,
  { env = {}, input = "", cwd }: Surroundings = {}
): Effect.Effect<Ended> =>
  Effect.suspend(() => {
    const [out, err] = [recorder(), recorder()]
    const stdio = Stdio.make({
      args: Effect.succeed(args),
      stdin: Stream.make(new TextEncoder().encode(input)),
      stdout: out.sink,
      stderr: err.sink
    })
    const surroundings = Layer.mergeAll(
      Layer.merge(NodeServices.layer, Layer.succeed(Stdio.Stdio, stdio)),
      ConfigProvider.layer(ConfigProvider.fromEnv({ env })),
      Layer.succeed(Console.Console, { ...console, log: out.line, error: err.line }),
      Layer.succeed(Signals, { endInOrder: Effect.void })
    )
    return inFolder(cwd ?? newFolder(), TestClock.withLive(Effect.provide(run(args), surroundings))).pipe(
      Effect.map((code) => ({ code, stdout: out.text(), stderr: err.text() }))
    )
  })

/** The lines of a text that ends with a line break. */
export const lines = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.trimEnd().split("\n"))
