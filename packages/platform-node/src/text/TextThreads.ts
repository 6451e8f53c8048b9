/**
 * Worker threads for large, untrusted texts. A task that exceeds its time or memory ends its thread and nothing else;
 * the next task gets a new thread. Threads start when they are needed and end when they are idle. An idle thread does
 * not keep the process alive.
 */
import { availableParallelism } from "node:os"
import { type ResourceLimits, Worker } from "node:worker_threads"
import type { TextInput, TextOutput, TextTask } from "@posthorn/core/content/text/TextTasks"
import { TextTooSlow, TextWork, type TextWorker, textTimeLimit } from "@posthorn/core/content/text/TextWork"
import { Duration, Effect, Exit, Layer, Metric, Option, Semaphore } from "effect"

/** The task of a thread. */
export interface Question {
  readonly task: TextTask
  readonly input: unknown
}

/** The result of a thread. `fault` is a defect of the program, never a fault of the text. */
export type ThreadResult = { readonly value: unknown } | { readonly fault: string }

export interface Options {
  /** Default: 10 seconds, from the start of a task. */
  readonly timeLimit?: Duration.Duration
  /** Default: one less than the number of processors, 1 to 4. */
  readonly threads?: number
  /** Default: 60 seconds. */
  readonly idle?: Duration.Duration
  readonly resourceLimits?: ResourceLimits
}

const defaultLimits: ResourceLimits = { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 256 }

/** Loading the code of a thread takes a second on a busy machine. */
const startPatience = Duration.seconds(30)

const program = new URL("./TextThread.ts", import.meta.url)

const ended = Metric.counter("posthorn_text_tasks_ended_total", {
  description: "Tasks on texts that were ended at their limit of time or memory",
  incremental: true
})

/** The next message of a thread, or why there is none. */
const message = <A>(thread: Worker, begin: () => void): Effect.Effect<A, Error> =>
  Effect.callback((resume) => {
    const done = (exit: Exit.Exit<A, Error>) => {
      thread.off("message", onMessage)
      thread.off("error", onError)
      thread.off("exit", onExit)
      resume(exit)
    }
    const onMessage = (value: A) => done(Exit.succeed(value))
    const onError = (error: Error) => done(Exit.fail(error))
    const onExit = () => done(Exit.fail(new Error("The thread has ended.")))
    thread.on("message", onMessage)
    thread.on("error", onError)
    thread.on("exit", onExit)
    begin()
    return Effect.sync(() => {
      thread.off("message", onMessage)
      thread.off("error", onError)
      thread.off("exit", onExit)
    })
  })

const isOutOfMemory = (error: Error): boolean => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

const make = Effect.fnUntraced(function* ({
  idle = Duration.seconds(60),
  resourceLimits = defaultLimits,
  threads = Math.min(4, Math.max(1, availableParallelism() - 1)),
  timeLimit = textTimeLimit
}: Options) {
  const inLine = yield* TextWork
  const turns = yield* Semaphore.make(threads)
  const free: Array<{ readonly thread: Worker; readonly timer: NodeJS.Timeout }> = []
  const all = new Set<Worker>()
  const log = Effect.runForkWith(yield* Effect.context<never>())
  const tooSlow = new TextTooSlow({ message: `The text takes longer than ${Duration.format(timeLimit)} to work on.` })
  const tooLarge = new TextTooSlow({ message: "The text takes more memory to work on than it may." })
  /** A bundle may lack the file of the thread. */
  let cannotStart = false

  const end = (thread: Worker) =>
    Effect.suspend(() => {
      all.delete(thread)
      return Effect.asVoid(Effect.promise(() => thread.terminate()))
    })

  const start = Effect.gen(function* () {
    const thread = new Worker(program, { resourceLimits })
    all.add(thread)
    // A thread that fails between two tasks must not end the process.
    thread.on("error", () => undefined)
    thread.on("exit", () => all.delete(thread))
    const ready = yield* Effect.exit(
      Effect.timeoutOption(
        message<string>(thread, () => undefined),
        startPatience
      )
    )
    if (Exit.isSuccess(ready) && Option.isSome(ready.value)) return thread
    yield* end(thread)
    cannotStart = true
    yield* Effect.logWarning("Large texts are processed in the event loop, because no thread can be started", ready)
    return undefined
  })

  const take = Effect.suspend(() => {
    const known = free.pop()
    if (known === undefined) return start
    clearTimeout(known.timer)
    known.thread.ref()
    return Effect.succeed(known.thread)
  })

  const giveBack = (thread: Worker) =>
    Effect.sync(() => {
      thread.unref()
      const timer = setTimeout(() => {
        const at = free.findIndex((each) => each.thread === thread)
        if (at !== -1) free.splice(at, 1)
        log(end(thread))
      }, Duration.toMillis(idle))
      timer.unref()
      free.push({ thread, timer })
    })

  const ask = <Task extends TextTask>(thread: Worker, task: Task, input: TextInput<Task>) =>
    Effect.gen(function* () {
      const question: Question = { task, input }
      const answer = yield* Effect.exit(
        Effect.timeoutOption(
          message<ThreadResult>(thread, () => thread.postMessage(question)),
          timeLimit
        )
      )
      if (Exit.isSuccess(answer) && Option.isSome(answer.value)) {
        yield* giveBack(thread)
        const result = answer.value.value
        if ("fault" in result) return yield* Effect.die(new Error(`Work on a text failed: ${result.fault}`))
        return result.value as TextOutput<Task>
      }
      yield* end(thread)
      yield* Metric.update(ended, 1)
      if (Exit.isSuccess(answer)) return yield* tooSlow
      const error = Option.getOrUndefined(Exit.findErrorOption(answer))
      return yield* error !== undefined && !isOutOfMemory(error) ? Effect.die(error) : tooLarge
    }).pipe(Effect.onInterrupt(() => end(thread)))

  yield* Effect.addFinalizer(() => Effect.forEach([...all], end, { concurrency: "unbounded", discard: true }))

  const run: TextWorker["run"] = (task, input) =>
    Effect.gen(function* () {
      const thread = cannotStart ? undefined : yield* take
      return yield* thread === undefined ? inLine.run(task, input) : ask(thread, task, input)
    }).pipe(turns.withPermits(1))

  return { run } satisfies TextWorker
})

/** Threads until the scope closes, which ends running ones. */
export const layerWith = (options: Options): Layer.Layer<never> => Layer.effect(TextWork, make(options))

export const layer: Layer.Layer<never> = layerWith({})
