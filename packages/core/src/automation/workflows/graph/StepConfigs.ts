/** Reads configs of steps from a caller, and checks the syntax of their templates. */

import { stepTypes } from "@posthorn/contract/automation/workflows/StepConfig"
import type { AddedStepType } from "@posthorn/contract/automation/workflows/StepType"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, Predicate, Record, Schema } from "effect"
import { plainTextFaults } from "../../../content/rendering/MailSyntax.ts"
import { faultsOf } from "../../../platform/http/Faults.ts"

const decoders = Record.map(stepTypes, ({ config }) =>
  Schema.decodeUnknownEffect(Schema.Struct({ config }), { errors: "all", reportInput: true })
)

/** The config as it is stored. Fields of the faults begin with `config.`. */
export const readConfig = (
  type: AddedStepType,
  config: Schema.JsonObject
): Effect.Effect<Schema.JsonObject, ValidationError> =>
  Effect.suspend(() => decoders[type]({ config })).pipe(
    Effect.map((decoded) => withoutNulls(type, decoded.config)),
    Effect.mapError(({ issue }) => new ValidationError({ errors: faultsOf(issue) }))
  )

/** `null` in an optional field counts as absent. */
const withoutNulls = (type: AddedStepType, config: object): Schema.JsonObject => {
  const { nullKeys = [] } = stepTypes[type]
  return Object.fromEntries(Object.entries(config).filter(([key, value]) => value !== null || nullKeys.includes(key)))
}

/** At most one fault for each text. */
export const stepSyntaxFaults = (type: AddedStepType, config: Schema.JsonObject): ReadonlyArray<Fault> =>
  stepTypes[type].rendered
    .flatMap((key) => [...textsIn(config[key], `config.${key}`)])
    .flatMap(([field, text]) => plainTextFaults(text).map((fault) => ({ field, code: "template_syntax", ...fault })))

function* textsIn(value: unknown, field: string): Generator<readonly [field: string, text: string]> {
  if (Predicate.isString(value)) yield [field, value]
  else if (typeof value === "object" && value !== null) {
    for (const [key, nested] of Object.entries(value)) yield* textsIn(nested, `${field}.${key}`)
  }
}
