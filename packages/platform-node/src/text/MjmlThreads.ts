/** Compiles MJML in a worker thread. The thread starts with the first source and is replaced if a source breaks it. */
import type { MjmlResult } from "@posthorn/core/content/rendering/Mjml"
import {
  type Compiler,
  MjmlBusy,
  MjmlCompiler,
  MjmlRefused,
  NoMjmlCompiler
} from "@posthorn/core/content/templates/MjmlCompiler"
import { Duration, Effect, Layer } from "effect"
import * as ThreadPool from "./ThreadPool.ts"

export interface Options {
  /** Default: 2 seconds, from the start of a compilation. */
  readonly timeLimit?: Duration.Duration
  /** Sources that wait while another is compiled. Default: 10. */
  readonly maxWaiting?: number
}

const program = new URL("./MjmlThread.ts", import.meta.url)

const refused = (message: string) => new MjmlRefused({ fault: { code: "custom", message } })

const make = Effect.fnUntraced(function* ({ maxWaiting = 10, timeLimit = Duration.seconds(2) }: Options) {
  const pool = yield* ThreadPool.make<string, MjmlResult>(program, {
    threads: 1,
    timeLimit,
    withoutThreads: "MJML cannot be compiled"
  })
  const tooSlow = refused(`The source takes longer than ${Duration.format(timeLimit)} to compile.`)
  const tooLarge = refused("The source needs too much memory to compile.")
  const broken = refused("The compiler cannot process this source.")
  let inside = 0

  const answer = Effect.fnUntraced(
    function* (source: string) {
      const result = yield* pool.ask(source)
      return result.ok ? result.html : yield* new MjmlRefused({ fault: result.fault })
    },
    Effect.catchTags({
      NoThread: () => Effect.fail(new NoMjmlCompiler()),
      ThreadEnded: ({ reason }) =>
        Effect.fail(reason instanceof Error ? broken : reason === "time" ? tooSlow : tooLarge)
    })
  )

  const compile = Effect.fnUntraced(function* (source: string) {
    if (inside > maxWaiting) return yield* new MjmlBusy()
    inside++
    return yield* Effect.ensuring(
      answer(source),
      Effect.sync(() => inside--)
    )
  })

  return { compile } satisfies Compiler
})

/** The thread ends with the scope. */
export const layerWith = (options: Options): Layer.Layer<never> => Layer.effect(MjmlCompiler, make(options))

export const layer: Layer.Layer<never> = layerWith({})
