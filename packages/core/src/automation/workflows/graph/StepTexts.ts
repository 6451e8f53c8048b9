/** The texts in configs that go through the renderer. */

import type { AddedStepType } from "@posthorn/contract/automation/workflows/StepType"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Predicate, type Schema } from "effect"
import { checkTemplate } from "../../../content/rendering/TemplateSyntax.ts"

/** Keys of each type's config with texts, at any depth. */
const rendered: { readonly [Type in AddedStepType]?: ReadonlyArray<string> } = {
  SEND_EMAIL: ["recipient"],
  WEBHOOK: ["url", "headers", "body"],
  UPDATE_CONTACT: ["updates"]
}

function* textsIn(value: unknown, field: string): Generator<readonly [field: string, text: string]> {
  if (Predicate.isString(value)) yield [field, value]
  else if (typeof value === "object" && value !== null) {
    for (const [key, nested] of Object.entries(value)) yield* textsIn(nested, `${field}.${key}`)
  }
}

/** At most one for each text. */
export const syntaxFaults = (type: AddedStepType, config: Schema.JsonObject): ReadonlyArray<Fault> =>
  (rendered[type] ?? [])
    .flatMap((key) => [...textsIn(config[key], `config.${key}`)])
    .flatMap(([field, text]) => checkTemplate(text).map((fault) => ({ field, code: "template_syntax", ...fault })))
