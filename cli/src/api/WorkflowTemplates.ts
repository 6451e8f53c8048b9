/** Templates in a workflow file: by name if the name is unique, so that the file fits other projects too. */
import type { Template } from "@posthorn/client"
import { Effect } from "effect"
import type { CommandFailure } from "../Failure.ts"
import { templateAmong } from "./TemplateOf.ts"
import type { Definition } from "./WorkflowDefinition.ts"

type Known = ReadonlyArray<Template>

const givenIn = ({ steps }: Definition): ReadonlyArray<string> =>
  Object.values(steps).flatMap(({ templateId }) => templateId ?? [])

export const namesTemplates = (definition: Definition): boolean => givenIn(definition).length > 0

const replaced = (definition: Definition, by: (given: string) => string): Definition => ({
  ...definition,
  steps: Object.fromEntries(
    Object.entries(definition.steps).map(([name, step]) => [
      name,
      step.templateId == null ? step : { ...step, templateId: by(step.templateId) }
    ])
  )
})

/** Replaces ids with names. */
export const withNames = (definition: Definition, known: Known): Definition =>
  replaced(definition, (given) => {
    const name = known.find(({ id }) => id === given)?.name
    return name !== undefined && known.filter((each) => each.name === name).length === 1 ? name : given
  })

/** Replaces names with ids, which the service requires. */
export const withIds = Effect.fnUntraced(function* (
  definition: Definition,
  known: Known
): Effect.fn.Return<Definition, CommandFailure> {
  const ids = new Map<string, string>()
  for (const given of givenIn(definition)) ids.set(given, (yield* templateAmong(known, given)).id)
  return replaced(definition, (given) => ids.get(given) ?? given)
})
