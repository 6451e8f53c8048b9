/**
 * The config of each type of step (contract-2 2.5). Unknown keys are left out. Texts marked "rendered" are templates;
 * that they parse, and what they refer to, is checked where there is a renderer and a database.
 */
import { Schema, SchemaIssue } from "effect"
import { ContactData } from "../contacts/Contact.ts"
import { EventName } from "../events/EventName.ts"
import { TemplateId } from "../templates/Template.ts"
import { isLength, isOneLine, optional, required } from "../Wire.ts"
import { ConditionConfig } from "./ConditionConfig.ts"
import type { AddedStepType } from "./StepType.ts"

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

/** `templateId` moves to the step. The recipient is the contact of the execution unless it is CUSTOM. */
export const SendEmailConfig = Schema.Struct({
  templateId: optional(TemplateId),
  recipient: optional(Recipient)
})
export type SendEmailConfig = typeof SendEmailConfig.Type

const secondsIn = { minutes: 60, hours: 3_600, days: 86_400, weeks: 604_800 }
const maxDays = 365

const Span = Schema.Struct({
  amount: required(Schema.Finite.check(Schema.isGreaterThan(0, { message: "Must be more than 0." }))),
  unit: required(Schema.Literals(["minutes", "hours", "days", "weeks"]))
})

/** Whole seconds, rounded up, at least 1; a day is 24 hours. */
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

/** `timeout` in seconds; without it the wait has no end. */
export const WaitConfig = Schema.Struct({
  eventName: required(EventName),
  timeout: optional(
    Schema.Int.check(
      Schema.isGreaterThanOrEqualTo(1, { message: "At least 1 second." }),
      Schema.isLessThanOrEqualTo(31_536_000, { message: "At most 31536000 seconds." })
    )
  )
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
    else if (value.length > 998) yield fault([name], "too_big", "At most 998 characters.")
    else if (/[\r\n\0]/.test(value)) yield fault([name], "invalid_string", "Must not contain a line break.")
  }
}

/** `url`, the values of `headers` and every string in `body` are rendered. */
export const WebhookConfig = Schema.Struct({
  url: required(Schema.String.check(isLength(1, 2_048), isOneLine)),
  method: optional(Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"])),
  headers: optional(
    Schema.Record(Schema.String, Schema.String).check(Schema.makeFilter((headers) => [...headerFaults(headers)]))
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
})
export type WebhookConfig = typeof WebhookConfig.Type

/** Strings in `updates` are rendered. */
export const UpdateContactConfig = Schema.Struct({
  updates: optional(ContactData),
  subscriptionAction: optional(Schema.Literals(["none", "subscribe", "unsubscribe"]))
})
export type UpdateContactConfig = typeof UpdateContactConfig.Type

export const defaultExitReason = "exit_step"

export const ExitConfig = Schema.Struct({
  reason: optional(Schema.Trim.check(isLength(1, 200), isOneLine))
})
export type ExitConfig = typeof ExitConfig.Type

/** What a step of each type is configured with. */
export const stepConfigs = {
  SEND_EMAIL: SendEmailConfig,
  DELAY: DelayConfig,
  WAIT_FOR_EVENT: WaitConfig,
  CONDITION: ConditionConfig,
  WEBHOOK: WebhookConfig,
  UPDATE_CONTACT: UpdateContactConfig,
  EXIT: ExitConfig
} as const satisfies { readonly [Type in AddedStepType]: Schema.Top }
