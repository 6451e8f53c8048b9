/** Renders texts of a config for an execution. The variables of the execution are `event`. */
import type { Schema } from "effect"
import { Clock, Effect, Option, Result } from "effect"
import type { StoredProject } from "../../../accounts/projects/Project.ts"
import { type Mode, RenderBudget, renderAt, soleValue } from "../../../content/rendering/Render.ts"
import { compile } from "../../../content/rendering/Template.ts"
import type { TemplateInvalid } from "../../../content/rendering/TemplateFault.ts"
import { variables } from "../../../content/rendering/Variables.ts"
import { inLineBudget, monotonicMillis, type TextWorker } from "../../../content/text/TextWork.ts"
import type { StepInput } from "./StepDefinition.ts"

/** Milliseconds for all texts of one step. */
const longestOfAll = 10_000

/** A text that is not a mail has no links. */
const urls = { unsubscribeUrl: "", subscribeUrl: "", manageUrl: "" }

const valuesOf = ({ contact, context }: StepInput, project: StoredProject): Schema.JsonObject =>
  variables({ contact, urls, project, event: context })

/** Renders the texts of one step: on the event loop within its budget for all of them, then in a worker. */
const renderer = (work: TextWorker, input: StepInput, project: StoredProject) =>
  Effect.map(Clock.Clock, (clock) => {
    const values = valuesOf(input, project)
    const now = monotonicMillis(clock)
    const start = now()
    const inWorker = Effect.fnUntraced(function* (source: string, mode: Mode) {
      if (now() - start > longestOfAll) return yield* new RenderBudget({ message: "Rendering takes too long." })
      const made = yield* Effect.mapError(
        work.run("text", { source, values, mode }),
        ({ message }) => new RenderBudget({ message })
      )
      return made.ok ? made.value : yield* new RenderBudget({ message: made.fault })
    })
    const render = (source: string, mode: Mode): Effect.Effect<string, Fault> =>
      Effect.suspend(() => {
        const millis = inLineBudget.millis - (now() - start)
        if (millis <= 0) return inWorker(source, mode)
        return Effect.flatMap(compile(source), (template) => {
          const tried = renderAt(template, values, mode, now, { budget: { ...inLineBudget, millis } })
          return Result.isSuccess(tried) ? Effect.succeed(tried.success) : inWorker(source, mode)
        })
      })
    return { render, values }
  })

type Fault = RenderBudget | TemplateInvalid

export const renderText = Effect.fnUntraced(function* (
  work: TextWorker,
  text: string,
  input: StepInput,
  project: StoredProject,
  mode: Mode
): Effect.fn.Return<string, Fault> {
  return yield* (yield* renderer(work, input, project)).render(text, mode)
})

/**
 * Renders every string in the value. With `keepTypes`, a string that is exactly one placeholder becomes its value in its
 * JSON type. Without, strings stay strings.
 */
export const renderJson = Effect.fnUntraced(function* (
  work: TextWorker,
  value: Schema.Json,
  input: StepInput,
  project: StoredProject,
  { keepTypes }: { readonly keepTypes: boolean }
): Effect.fn.Return<Schema.Json, Fault> {
  const { render, values } = yield* renderer(work, input, project)
  const rendered = (each: Schema.Json): Effect.Effect<Schema.Json, Fault> =>
    Effect.suspend(() => {
      if (typeof each === "string") {
        return Effect.flatMap(compile(each), (template) =>
          Option.match(keepTypes ? soleValue(template, values) : Option.none(), {
            onNone: () => render(each, "plain"),
            onSome: Effect.succeed
          })
        )
      }
      if (Array.isArray(each)) return Effect.forEach(each, rendered)
      if (typeof each !== "object" || each === null) return Effect.succeed(each)
      return Effect.map(
        Effect.forEach(Object.entries(each), ([key, nested]) =>
          Effect.map(rendered(nested), (to) => [key, to] as const)
        ),
        Object.fromEntries
      )
    })
  return yield* rendered(value)
})
