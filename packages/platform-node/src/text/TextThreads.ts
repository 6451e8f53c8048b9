/** Processes large, untrusted texts in worker threads. */
import { availableParallelism } from "node:os"
import type { ResourceLimits } from "node:worker_threads"
import type { TextInput, TextOutput, TextTask } from "@posthorn/core/content/text/TextTasks"
import { TextTooSlow, TextWork, type TextWorker, textTimeLimit } from "@posthorn/core/content/text/TextWork"
import { Duration, Effect, Layer } from "effect"
import * as ThreadPool from "./ThreadPool.ts"

/** The task of a thread. */
export interface Question {
  readonly task: TextTask
  readonly input: unknown
}

/** The result of a thread. `fault` is a bug of the program, never a fault of the text. */
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

const program = new URL("./TextThread.ts", import.meta.url)

const make = Effect.fnUntraced(function* ({
  idle,
  resourceLimits,
  threads = Math.min(4, Math.max(1, availableParallelism() - 1)),
  timeLimit = textTimeLimit
}: Options) {
  const inLine = yield* TextWork
  const pool = yield* ThreadPool.make<Question, ThreadResult>(program, {
    idle,
    resourceLimits,
    threads,
    timeLimit,
    withoutThreads: "Large texts are processed in the event loop"
  })
  const tooSlow = new TextTooSlow({ message: `The text takes longer than ${Duration.format(timeLimit)} to process.` })
  const tooLarge = new TextTooSlow({ message: "The text needs too much memory to process." })

  const valueOf = (answer: ThreadResult) =>
    "fault" in answer
      ? Effect.die(new Error(`The processing of a text failed: ${answer.fault}`))
      : Effect.succeed(answer.value)

  const run = <Task extends TextTask>(task: Task, input: TextInput<Task>) =>
    Effect.flatMap(pool.ask({ task, input }), valueOf).pipe(
      Effect.map((value) => value as TextOutput<Task>),
      Effect.catchTags({
        NoThread: () => inLine.run(task, input),
        ThreadEnded: ({ reason }) =>
          reason instanceof Error ? Effect.die(reason) : Effect.fail(reason === "time" ? tooSlow : tooLarge)
      })
    )

  return { run } satisfies TextWorker
})

/** Threads until the scope closes, which ends running ones. */
export const layerWith = (options: Options): Layer.Layer<never> => Layer.effect(TextWork, make(options))

export const layer: Layer.Layer<never> = layerWith({})
