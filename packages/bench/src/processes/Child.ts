/** Programs as separate processes, so that the CPU time of each can be measured. */
import { type ChildProcess, spawn } from "node:child_process"
import { Effect, Schema } from "effect"
import { BenchFailure } from "../BenchFailure.ts"

export interface Program {
  /** For messages. */
  readonly name: string
  /** The arguments of `node`. */
  readonly argv: ReadonlyArray<string>
  /** Added to the environment of this process, without its settings for the service. */
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Whether it answers questions (`Answering.ts`). */
  readonly answers?: boolean | undefined
}

export interface Child {
  readonly pid: number
  /** In the time of `performance.now()`. */
  readonly startedAt: number
  /** The first line that it prints; fails if it ends without one. */
  readonly firstLine: Effect.Effect<string, BenchFailure>
  readonly ask: <A>(question: object, answer: Schema.ConstraintDecoder<A>) => Effect.Effect<A, BenchFailure>
}

/** How long a process may take to end. Then it is killed. */
const patienceMillis = 45_000

const surrounding = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("POSTHORN_")))

const open = ({ argv, environment, answers = false }: Program) =>
  spawn(process.execPath, argv, {
    env: { ...surrounding, ...environment },
    // JSON has no NaN, which is the result of a run without an answer.
    serialization: "advanced",
    stdio: ["ignore", "pipe", "inherit", ...(answers ? (["ipc"] as const) : [])]
  })

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

const end = (child: ChildProcess) =>
  new Promise<void>((ended) => {
    if (hasEnded(child)) return ended()
    const timer = setTimeout(() => child.kill("SIGKILL"), patienceMillis)
    child.once("exit", () => {
      clearTimeout(timer)
      ended()
    })
    child.kill("SIGTERM")
  })

/** Listens from the start, so that nothing is lost. Later lines are discarded. */
const firstLineOf = (child: ChildProcess): Promise<string> => {
  const line = new Promise<string>((found, failed) => {
    let text = ""
    child.stdout?.on("data", (chunk) => {
      text += String(chunk)
      if (text.includes("\n")) found(text.slice(0, text.indexOf("\n")))
    })
    child.once("exit", (code) => failed(new Error(`it ended with ${code} before it was ready`)))
    child.once("error", failed)
  })
  line.catch(() => {})
  return line
}

/** One question at a time. */
const answerOf = (child: ChildProcess, question: object) =>
  new Promise<unknown>((found, failed) => {
    const onExit = (code: number | null) => failed(new Error(`it ended with ${code} before it answered`))
    child.once("exit", onExit)
    child.once("message", (answer) => {
      child.off("exit", onExit)
      found(answer)
    })
    child.send(question)
  })

export const start = Effect.fnUntraced(function* (program: Program) {
  const attempt = <A>(promise: () => Promise<A>) =>
    Effect.tryPromise({
      try: promise,
      catch: (cause) =>
        new BenchFailure({ message: `${program.name}: ${cause instanceof Error ? cause.message : String(cause)}` })
    })
  const startedAt = performance.now()
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => open(program)),
    (child) => Effect.promise(() => end(child))
  )
  const line = firstLineOf(child)
  const { pid } = child
  if (pid === undefined) return yield* new BenchFailure({ message: `${program.name}: no process could be started` })
  return {
    pid,
    startedAt,
    firstLine: attempt(() => line),
    ask: (question, answer) =>
      Effect.flatMap(
        attempt(() => answerOf(child, question)),
        (given) => Effect.orDie(Schema.decodeUnknownEffect(answer)(given))
      )
  } satisfies Child
})
