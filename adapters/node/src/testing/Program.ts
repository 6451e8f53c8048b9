/** The server as a separate process, for tests: started from the bundle, called, ended or killed. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { builtServer } from "@posthorn/core/testing/BuiltProgram"
import { pooledEnvironment } from "@posthorn/core/testing/PgBouncer"
import { Data, Duration, Effect, Schedule, Schema, type Scope } from "effect"
import { noteSecretsIn, secretIn } from "./KnownSecrets.ts"

/** The process ended before it was ready. */
export class Ended extends Data.TaggedError("Ended")<{ readonly code: number | null; readonly errors: string }> {}

export interface Program {
  readonly pid: number
  /** All standard output so far. */
  readonly output: () => string
  /** All standard error so far. */
  readonly errors: () => string
  /** The exit code; null if a signal ended the process. */
  readonly end: (signal: NodeJS.Signals) => Effect.Effect<number | null>
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
  readonly ended: Effect.Effect<number | null>
}

/**
 * Starts the program, and kills it with the scope. Then its log must not contain any secret known by that time. The
 * process gets none of our environment variables for Posthorn, Node or the test runner.
 */
export const start = (
  args: ReadonlyArray<string>,
  env: Record<string, string>
): Effect.Effect<Program, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.map(Effect.promise(builtServer), (main) => {
      noteSecretsIn(env)
      const inherited = Object.entries(process.env).filter(([name]) => !/^(?:POSTHORN_|NODE_|VITEST)/.test(name))
      const child = spawn(process.execPath, [main, ...args], {
        env: { ...Object.fromEntries(inherited), ...pooledEnvironment(env) },
        stdio: ["ignore", "pipe", "pipe"]
      })
      let output = ""
      let errors = ""
      child.stdout.setEncoding("utf8").on("data", (text) => {
        output += text
      })
      child.stderr.setEncoding("utf8").on("data", (text) => {
        errors += text
      })
      const closed = once(child, "close").then(([code]: ReadonlyArray<unknown>) =>
        typeof code === "number" ? code : null
      )
      const ended = Effect.promise(() => closed)
      const signal = (name: NodeJS.Signals) => Effect.sync(() => void child.kill(name))
      const end = (name: NodeJS.Signals) => Effect.andThen(signal(name), ended)
      return { pid: child.pid ?? 0, output: () => output, errors: () => errors, end, signal, ended }
    }),
    ({ end, errors }) =>
      Effect.andThen(
        end("SIGKILL"),
        Effect.suspend(() => {
          const found = secretIn(errors())
          return found === undefined ? Effect.void : Effect.die(new Error(found))
        })
      )
  )

/** Repeats a request until its answer is accepted, for at most 100 seconds. Returns the last answer. */
export const eventually = <A, E, R>(ask: Effect.Effect<A, E, R>, willDo: (answer: A) => boolean) =>
  Effect.repeat(ask, {
    schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: Duration.seconds(100) })),
    until: willDo
  })

/** The readiness line, or why the process ended. */
export const readiness = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(
  program: Program,
  line: S
) {
  const output = yield* Effect.raceFirst(
    eventually(Effect.sync(program.output), (text) => text.includes("\n")),
    Effect.flatMap(program.ended, (code) => new Ended({ code, errors: program.errors() }))
  )
  return yield* Effect.orDie(Schema.decodeUnknownEffect(Schema.fromJsonString(line))(output))
})
