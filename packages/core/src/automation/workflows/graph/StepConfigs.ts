/** Configs of steps as they are read from a caller: by the schema of the type, without what means nothing. */

import { stepConfigs } from "@posthorn/contract/automation/workflows/StepConfig"
import type { AddedStepType } from "@posthorn/contract/automation/workflows/StepType"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, Schema } from "effect"
import { faultsOf } from "../../../platform/http/Faults.ts"

const decoderOf = <S extends Schema.Top & { readonly DecodingServices: never }>(config: S) =>
  Schema.decodeUnknownEffect(Schema.Struct({ config }), { errors: "all", reportInput: true })

const decoders = {
  SEND_EMAIL: decoderOf(stepConfigs.SEND_EMAIL),
  DELAY: decoderOf(stepConfigs.DELAY),
  WAIT_FOR_EVENT: decoderOf(stepConfigs.WAIT_FOR_EVENT),
  CONDITION: decoderOf(stepConfigs.CONDITION),
  WEBHOOK: decoderOf(stepConfigs.WEBHOOK),
  UPDATE_CONTACT: decoderOf(stepConfigs.UPDATE_CONTACT),
  EXIT: decoderOf(stepConfigs.EXIT)
}

/** As JSON: `null` in an optional field counts as absent, but the body of a WEBHOOK may be null. */
const kept = (config: object): Schema.JsonObject =>
  Object.fromEntries(Object.entries(config).filter(([key, value]) => value !== null || key === "body"))

/** Fields of the faults begin with `config.`. */
export const readConfig = (
  type: AddedStepType,
  config: Schema.JsonObject
): Effect.Effect<Schema.JsonObject, ValidationError> =>
  Effect.suspend((): Effect.Effect<{ readonly config: object }, Schema.SchemaError> => decoders[type]({ config })).pipe(
    Effect.map((decoded) => kept(decoded.config)),
    Effect.mapError(({ issue }) => new ValidationError({ errors: faultsOf(issue) }))
  )
