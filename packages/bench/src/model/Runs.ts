/** Runs of commands against an installation and a model of their own. */
import { Effect, type Scope } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { begin, type Command, commands, end, type Real } from "./Commands.ts"
import { Expected, type Rule } from "./Expected.ts"
import * as Installation from "./Installation.ts"
import * as Project from "./Project.ts"

type Outside = Exclude<Effect.Services<ReturnType<typeof Installation.make>>, Scope.Scope>

/** A model that forgets a rule, if one is given. */
const prepared = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
  const promise = Effect.runPromiseWith(yield* Effect.context<Outside>())
  return (
    forgotten: Rule | undefined,
    work: (state: { readonly model: Expected; readonly real: Real }) => Promise<unknown>
  ) =>
    promise(
      Effect.scoped(
        Effect.gen(function* () {
          const model = new Expected(forgotten)
          const installation = yield* Installation.make(model.treatments)
          const real: Real = { installation, promise, project: yield* installation.run(Project.make) }
          yield* Effect.promise(() => begin(model, real))
          yield* Effect.promise(() => work({ model, real }))
        })
      )
    )
})

export interface Options {
  /** The most commands of a run. */
  readonly most: number
  /** From the output of a failure. */
  readonly replayPath?: string | undefined
  readonly forgotten?: Rule | undefined
}

/** Of drawn commands: fails if the service differs from the model after some command. */
export const property = ({ forgotten, most, replayPath }: Options) =>
  Effect.map(prepared, (run) =>
    fc.asyncProperty(commands(most, replayPath), (drawn) =>
      run(forgotten, async (state) => {
        await fc.asyncModelRun(() => state, drawn)
        await end(state.model, state.real)
      })
    )
  )

/** Whether the service differs from the model in these commands. */
export const differs = (course: ReadonlyArray<Command>, forgotten?: Rule) =>
  Effect.flatMap(prepared, (run) =>
    Effect.promise(() =>
      run(forgotten, (state) => fc.asyncModelRun(() => state, course)).then(
        () => false,
        () => true
      )
    )
  )
