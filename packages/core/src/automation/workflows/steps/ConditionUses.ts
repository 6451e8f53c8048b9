/** What a condition on a contact names. */
import { parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { Result, type Schema } from "effect"
import { dependenciesOf, segmentsNamed } from "../../../audience/filters/Dependencies.ts"
import type { StepUses } from "./StepDefinition.ts"

export const conditionUses = (tree: Schema.Json | undefined): StepUses => {
  if (tree === undefined || tree === null) return { segments: [], names: [] }
  return Result.match(parseTree(tree, "audience"), {
    onSuccess: (condition) => ({ segments: segmentsNamed(condition), names: [...dependenciesOf(condition).names] }),
    onFailure: () => ({ segments: [], names: [] })
  })
}
