/**
 * Runs tasks on large untrusted texts outside of the event loop if the host has threads.
 *
 * A text of at most `longestInLine` characters, which is nearly every mail, is processed directly without this port.
 * The OpenAPI document is made here as well: it takes up to a second.
 */
import { type Clock, Context, Data, Duration, Effect } from "effect"
import { runTextTask, type TextInput, type TextOutput, type TextTask } from "./TextTasks.ts"

/** In characters, or in bytes of an incoming mail. */
export const longestInLine = 100 * 1024

/** The budget for rendering in line. If it is exceeded, rendering starts again outside of the event loop. */
export const inLineBudget = { millis: 50, output: longestInLine }

/** The time limit of one task. */
export const textTimeLimit = Duration.seconds(10)

/** The task was stopped at its time limit. A retry would be stopped as well. */
export class TextTooSlow extends Data.TaggedError("TextTooSlow")<{ readonly message: string }> {}

export interface TextWorker {
  /**
   * Runs one task. It waits while the workers are busy. From its start it has `textTimeLimit`, and is then stopped.
   * Fails if it was stopped, dies if the task throws.
   */
  readonly run: <Task extends TextTask>(
    task: Task,
    input: TextInput<Task>
  ) => Effect.Effect<TextOutput<Task>, TextTooSlow>
}

/** Runs tasks directly. Tasks that measure time use the monotonic clock in milliseconds. */
const inLine: TextWorker = {
  run: <Task extends TextTask>(task: Task, input: TextInput<Task>) =>
    Effect.clockWith((clock) =>
      Effect.promise(async () => (await runTextTask(task, input, monotonicMillis(clock))) as TextOutput<Task>)
    )
}

export const monotonicMillis = (clock: Clock.Clock) => () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/** By default tasks run directly, for tests and for hosts without threads. */
export const TextWork = Context.Reference<TextWorker>("@posthorn/core/content/text/TextWork", {
  defaultValue: () => inLine
})
