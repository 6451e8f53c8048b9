/** Texts of a step's config with the variables of part 1 §7.4; the context of the execution is `event`. */
import type { Schema } from "effect"
import { Effect, Option } from "effect"
import type { Project } from "../../projects/Project.ts"
import { type Mode, type RenderBudget, render, soleValue } from "../../rendering/Render.ts"
import { compile } from "../../rendering/Template.ts"
import type { TemplateInvalid } from "../../rendering/TemplateFault.ts"
import { variables } from "../../rendering/Variables.ts"
import type { Visitor } from "./StepType.ts"

/** No mail, no links. */
const urls = { unsubscribeUrl: "", subscribeUrl: "", manageUrl: "" }

const valuesOf = ({ contact, context }: Visitor, project: Project): Schema.JsonObject =>
  variables({ contact, urls, project, event: context })

type Fault = RenderBudget | TemplateInvalid

export const renderText = (
  text: string,
  visitor: Visitor,
  project: Project,
  mode: Mode
): Effect.Effect<string, Fault> =>
  Effect.flatMap(compile(text), (template) => render(template, valuesOf(visitor, project), mode))

/**
 * Every string in it. With `keepTypes` one that is exactly one placeholder becomes its value, in its JSON type;
 * otherwise strings stay strings.
 */
export const renderJson = (
  value: Schema.Json,
  visitor: Visitor,
  project: Project,
  { keepTypes }: { readonly keepTypes: boolean }
): Effect.Effect<Schema.Json, Fault> => {
  const values = valuesOf(visitor, project)
  const rendered = (each: Schema.Json): Effect.Effect<Schema.Json, Fault> =>
    Effect.suspend(() => {
      if (typeof each === "string") {
        return Effect.flatMap(compile(each), (template) =>
          Option.match(keepTypes ? soleValue(template, values) : Option.none(), {
            onNone: () => render(template, values, "plain"),
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
  return rendered(value)
}
