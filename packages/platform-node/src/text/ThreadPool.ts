/**
 * Worker threads for untrusted texts. A task that exceeds its time or memory, or breaks its thread, ends only that
 * thread; the next task gets a new one. Threads start on demand and end when they are idle. An idle thread does not
 * keep the process alive.
 */
import { type ResourceLimits, Worker } from "node:worker_threads"
import { Data, Duration, Effect, Exit, Metric, Option, type Scope, Semaphore } from "effect"

export interface Options {
  readonly threads: number
  /** Time limit from the start of a task. */
  readonly timeLimit: Duration.Duration
  /** Default: 60 seconds. */
  readonly idle?: Duration.Duration | undefined
  readonly resourceLimits?: ResourceLimits | undefined
  /** The consequence that is logged if no thread can be started. */
  readonly withoutThreads: string
}

/** No thread can be started. A bundle may lack the file of the thread. */
export class NoThread extends Data.TaggedError("NoThread") {}

/** The task ended its thread: it took too much time or memory, or the thread threw an error. */
export class ThreadEnded extends Data.TaggedError("ThreadEnded")<{ readonly reason: "time" | "memory" | Error }> {}

export interface ThreadPool<Question, Answer> {
  /** Waits while all threads are busy. */
  readonly ask: (question: Question) => Effect.Effect<Answer, NoThread | ThreadEnded>
}

const defaultLimits: ResourceLimits = { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 256 }

/** Loading the code of a thread takes a second on a busy machine. */
const startPatience = Duration.seconds(30)

const ended = Metric.counter("posthorn_text_tasks_ended_total", {
  description: "Tasks that were ended at their limit of time or memory",
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

/** `program` posts a message when it is ready, and then one answer for each message. The scope ends all threads. */
export const make = Effect.fnUntraced(function* <Question, Answer>(
  program: URL,
  { idle = Duration.seconds(60), resourceLimits = defaultLimits, threads, timeLimit, withoutThreads }: Options
): Effect.fn.Return<ThreadPool<Question, Answer>, never, Scope.Scope> {
  const turns = yield* Semaphore.make(threads)
  const free: Array<{ readonly thread: Worker; readonly timer: NodeJS.Timeout }> = []
  const all = new Set<Worker>()
  const log = Effect.runForkWith(yield* Effect.context<never>())
  let cannotStart = false

  const end = (thread: Worker) =>
    Effect.suspend(() => {
      all.delete(thread)
      return Effect.asVoid(Effect.promise(() => thread.terminate()))
    })

  const start = Effect.gen(function* () {
    if (cannotStart) return yield* new NoThread()
    const thread = new Worker(program, { resourceLimits })
    all.add(thread)
    // A thread that fails between two tasks must not end the process.
    thread.on("error", () => undefined)
    thread.on("exit", () => all.delete(thread))
    const ready = yield* Effect.exit(
      Effect.timeoutOption(
        message<unknown>(thread, () => undefined),
        startPatience
      )
    )
    if (Exit.isSuccess(ready) && Option.isSome(ready.value)) return thread
    yield* end(thread)
    cannotStart = true
    yield* Effect.logWarning(`${withoutThreads}, because no thread can be started`, ready)
    return yield* new NoThread()
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

  const answerOf = (thread: Worker, question: Question) =>
    Effect.gen(function* () {
      const answer = yield* Effect.exit(
        Effect.timeoutOption(
          message<Answer>(thread, () => thread.postMessage(question)),
          timeLimit
        )
      )
      if (Exit.isSuccess(answer) && Option.isSome(answer.value)) {
        yield* giveBack(thread)
        return answer.value.value
      }
      yield* end(thread)
      yield* Metric.update(ended, 1)
      const error = Option.getOrUndefined(Exit.findErrorOption(answer))
      if (error === undefined) return yield* new ThreadEnded({ reason: "time" })
      return yield* new ThreadEnded({ reason: isOutOfMemory(error) ? "memory" : error })
    }).pipe(Effect.onInterrupt(() => end(thread)))

  yield* Effect.addFinalizer(() => Effect.forEach([...all], end, { concurrency: "unbounded", discard: true }))

  return {
    ask: (question) => Effect.flatMap(take, (thread) => answerOf(thread, question)).pipe(turns.withPermits(1))
  }
})
