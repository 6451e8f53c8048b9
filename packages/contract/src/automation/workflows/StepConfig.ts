/**
 * The config of each type of step. Unknown keys are left out. Texts marked "rendered" are templates. The core checks
 * their syntax and the records they refer to, since it has the renderer and the database.
 */
import { Schema, SchemaIssue } from "effect"
import { ContactData } from "../../audience/contacts/Contact.ts"
import { StepFilterTree } from "../../audience/filters/FilterTree.ts"
import { TemplateId } from "../../content/templates/Template.ts"
import { EventName } from "../../events/EventName.ts"
import { type Known, knownOf, type Open } from "../../platform/KnownFields.ts"
import { isLength, isOneLine, optional, required, Trimmed } from "../../platform/Primitives.ts"
import { ConditionConfig } from "./ConditionConfig.ts"
import { AddedStepType } from "./StepType.ts"

const fault = (path: ReadonlyArray<string>, code: string, message: string): Schema.FilterIssue => ({
  path,
  issue: new SchemaIssue.InvalidValue({ code, message })
})

/** `customEmail` is rendered. */
export const Recipient = Schema.Struct({
  type: optional(Schema.Literals(["CONTACT", "CUSTOM"])),
  customEmail: optional(Schema.String.check(isLength(1, 1_000), isOneLine))
}).check(
  Schema.makeFilter(({ type, customEmail }) =>
    type === "CUSTOM" && customEmail == null
      ? [fault(["customEmail"], "required", "A custom recipient needs an address.")]
      : []
  )
)

/** `templateId` moves to the step. The recipient is the contact of the execution unless its type is CUSTOM. */
export const SendEmailConfig = Schema.Struct({
  templateId: optional(TemplateId),
  recipient: optional(Recipient)
}).annotate({ identifier: "SendEmailConfig", description: "Of a `SEND_EMAIL` step. `customEmail` is a template." })
export type SendEmailConfig = typeof SendEmailConfig.Type

const secondsIn = { minutes: 60, hours: 3_600, days: 86_400, weeks: 604_800 }
const maxDays = 365

const Span = Schema.Struct({
  amount: required(Schema.Finite.check(Schema.isGreaterThan(0, { message: "Must be more than 0." }))),
  unit: required(Schema.Literals(["minutes", "hours", "days", "weeks"]))
}).annotate({ identifier: "DelayConfig", description: `Of a \`DELAY\` step. At most ${maxDays} days.` })

/** Whole seconds, rounded up, at least 1. A day is 24 hours. */
export const delaySeconds = ({ amount, unit }: typeof Span.Type): number => {
  const seconds = amount * secondsIn[unit]
  // 1.1 minutes are 66.00000000000001 seconds in floating point.
  return Math.max(1, Math.ceil(Number(seconds.toPrecision(12))))
}

export const DelayConfig = Span.check(
  Schema.makeFilter((span) =>
    delaySeconds(span) > maxDays * secondsIn.days
      ? [fault(["amount"], "too_big", `At most ${maxDays} days in all.`)]
      : []
  )
)
export type DelayConfig = typeof DelayConfig.Type

/** `timeout` in seconds. Without it the wait has no end. */
export const WaitConfig = Schema.Struct({
  eventName: required(EventName),
  timeout: optional(
    Schema.Int.check(
      Schema.isGreaterThanOrEqualTo(1, { message: "At least 1 second." }),
      Schema.isLessThanOrEqualTo(31_536_000, { message: "At most 31536000 seconds." })
    )
  )
}).annotate({
  identifier: "WaitConfig",
  description: "Of a `WAIT_FOR_EVENT` step. `timeout` in seconds; without it the step waits until the event comes."
})
export type WaitConfig = typeof WaitConfig.Type

const maxHeaders = 20
const maxBodyBytes = 64 * 1024
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
const ownHeader = /^(?:host|content-length|transfer-encoding|connection|webhook-.*)$/i

function* headerFaults(headers: { readonly [name: string]: string }): Generator<Schema.FilterIssue> {
  const entries = Object.entries(headers)
  if (entries.length > maxHeaders) return yield fault([], "too_big", `At most ${maxHeaders} headers.`)
  for (const [name, value] of entries) {
    if (!token.test(name)) yield fault([name], "invalid_string", "Not the name of a header.")
    else if (ownHeader.test(name)) yield fault([name], "custom", "The service sets this header itself.")
    else if (/[\r\n\0]/.test(value)) yield fault([name], "invalid_string", "Must not contain a line break.")
  }
}

/** `url`, the values of `headers` and every string in `body` are rendered. */
export const WebhookConfig = Schema.Struct({
  url: required(Schema.String.check(isLength(1, 2_048), isOneLine)),
  method: optional(Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"])),
  headers: optional(
    Schema.Record(Schema.String, Schema.String.check(isLength(0, 998))).check(
      Schema.makeFilter((headers) => [...headerFaults(headers)])
    )
  ),
  body: Schema.optionalKey(
    Schema.Json.check(
      Schema.makeFilter((body) =>
        new TextEncoder().encode(JSON.stringify(body)).length > maxBodyBytes
          ? [fault([], "too_big", `At most ${maxBodyBytes} bytes as JSON.`)]
          : []
      )
    )
  ),
  timeoutSeconds: optional(
    Schema.Int.check(
      Schema.isGreaterThanOrEqualTo(1, { message: "At least 1 second." }),
      Schema.isLessThanOrEqualTo(30, { message: "At most 30 seconds." })
    )
  ),
  continueOnError: optional(Schema.Boolean)
}).annotate({
  identifier: "WebhookConfig",
  description: "Of a `WEBHOOK` step. `url`, the values of `headers` and every text in `body` are templates."
})
export type WebhookConfig = typeof WebhookConfig.Type

/** Strings in `updates` are rendered. */
export const UpdateContactConfig = Schema.Struct({
  updates: optional(ContactData),
  subscriptionAction: optional(Schema.Literals(["none", "subscribe", "unsubscribe"]))
}).annotate({
  identifier: "UpdateContactConfig",
  description: "Of an `UPDATE_CONTACT` step. Texts in `updates` are templates."
})
export type UpdateContactConfig = typeof UpdateContactConfig.Type

export const defaultExitReason = "exit_step"

export const ExitConfig = Schema.Struct({
  reason: optional(Trimmed(1, 200).check(isOneLine))
}).annotate({ identifier: "ExitConfig", description: "Of an `EXIT` step." })
export type ExitConfig = typeof ExitConfig.Type

/** The schema of the config for each type of step. */
export const stepConfigs = {
  SEND_EMAIL: SendEmailConfig,
  DELAY: DelayConfig,
  WAIT_FOR_EVENT: WaitConfig,
  CONDITION: ConditionConfig,
  WEBHOOK: WebhookConfig,
  UPDATE_CONTACT: UpdateContactConfig,
  EXIT: ExitConfig
} as const satisfies { readonly [Type in AddedStepType]: Schema.Top }

/** What the document adds to the schemas of the endpoints: the configs, and the filter tree that one of them names. */
export const documented = [...Object.values(stepConfigs), StepFilterTree].map(Schema.toEncoded)

/** Refers to the config of a type in the document. */
const referenceTo = (type: AddedStepType) => ({
  $ref: `#/components/schemas/${Schema.resolveAnnotations(Schema.toEncoded(stepConfigs[type]))?.identifier}`
})

/** Their config has no mandatory field. */
const optionalFor: ReadonlyArray<AddedStepType> = ["SEND_EMAIL", "UPDATE_CONTACT", "EXIT"]

/** Says in the document which config goes with which `type`. The core decides what is accepted. */
export const byType = ({ isRecord }: { readonly isRecord: boolean }) =>
  Schema.makeFilter<object>(() => true, {
    toJsonSchema: () => ({
      oneOf: [
        ...(isRecord
          ? [
              {
                properties: { type: { type: "string", enum: ["TRIGGER"] }, config: { type: "object" } },
                required: ["type", "config"]
              }
            ]
          : []),
        ...AddedStepType.literals.map((type) => ({
          properties: { type: { type: "string", enum: [type] }, config: referenceTo(type) },
          required: isRecord || !optionalFor.includes(type) ? ["type", "config"] : ["type"]
        }))
      ]
    })
  })

/** Any config, where the body does not name the type of its step. */
export const anyConfig = Schema.makeFilter<object>(() => true, {
  toJsonSchema: () => ({ anyOf: AddedStepType.literals.map(referenceTo) })
})

/** The fields that the config of any type has. */
export const configFields: Known | Open = knownOf(Schema.Union(Object.values(stepConfigs)))
