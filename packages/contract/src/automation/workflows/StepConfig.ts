/**
 * The types of steps, and the config of each. A config is stored without unknown keys. The core checks the syntax of its
 * templates and the records that it names, since it has the renderer and the database.
 */
import { Result, Schema, SchemaIssue, Struct } from "effect"
import { ContactData } from "../../audience/contacts/Contact.ts"
import { StepFilterTree } from "../../audience/filters/FilterTree.ts"
import { TopicReference } from "../../audience/topics/TopicReference.ts"
import { TopicStates } from "../../audience/topics/TopicStates.ts"
import { TemplateId } from "../../content/templates/Template.ts"
import { EventName } from "../../events/EventName.ts"
import { WriteMailPolicy } from "../../mail/sending/MailPolicy.ts"
import { type Known, knownOf, type Open } from "../../platform/KnownFields.ts"
import { isLength, isOneLine, optional, required, Trimmed } from "../../platform/Primitives.ts"
import { ConditionConfig, conditionBranches } from "./ConditionConfig.ts"
import { executionFields, verdictFaults } from "./EventMatch.ts"
import { SplitConfig, splitBranches } from "./SplitConfig.ts"
import { DelayConfig, delayBranches, RateLimitConfig, TimeWindowConfig } from "./TimingConfig.ts"

const fault = (path: ReadonlyArray<string>, code: string, message: string): Schema.FilterIssue => ({
  path,
  issue: new SchemaIssue.InvalidValue({ code, message })
})

const Recipient = Schema.Struct({
  type: optional(Schema.Literals(["CONTACT", "CUSTOM"])),
  customEmail: optional(Schema.String.check(isLength(1, 1_000), isOneLine))
}).check(
  Schema.makeFilter(({ type, customEmail }) =>
    type === "CUSTOM" && customEmail == null
      ? [fault(["customEmail"], "required", "A custom recipient needs an address.")]
      : []
  )
)

/**
 * `templateId` is stored with the step, not in its config. The recipient is the contact of the execution unless its
 * type is CUSTOM.
 */
export const SendEmailConfig = Schema.Struct({
  templateId: optional(TemplateId),
  recipient: optional(Recipient),
  topicId: optional(TopicReference),
  policy: optional(WriteMailPolicy)
}).annotate({
  identifier: "SendEmailConfig",
  description:
    "Config of a `SEND_EMAIL` step. `customEmail` is a template. `topicId` is the id or key of a topic, and wins over that of the template. Mail of type MARKETING or HEADLESS waits in the step while the rules of `/settings/sending` forbid it, unless `policy` bypasses them."
})
export type SendEmailConfig = typeof SendEmailConfig.Type

/** `timeout` in seconds. Without it the step waits without limit. */
export const WaitConfig = Schema.Struct({
  eventName: required(EventName),
  ...executionFields,
  timeout: optional(
    Schema.Int.check(
      Schema.isGreaterThanOrEqualTo(1, { message: "At least 1 second." }),
      Schema.isLessThanOrEqualTo(31_536_000, { message: "At most 31536000 seconds." })
    )
  )
})
  .annotate({
    identifier: "WaitConfig",
    description:
      "Config of a `WAIT_FOR_EVENT` step. `timeout` in seconds; without it the step waits until the event occurs. The earliest event that passes `where` and `verdict` ends the wait."
  })
  .check(Schema.makeFilter((config) => [...verdictFaults(config)]))
export type WaitConfig = typeof WaitConfig.Type

const maxHeaders = 20
const maxBodyBytes = 64 * 1024
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
const reservedHeader = /^(?:host|content-length|transfer-encoding|connection|webhook-.*)$/i

function* headerFaults(headers: { readonly [name: string]: string }): Generator<Schema.FilterIssue> {
  const entries = Object.entries(headers)
  if (entries.length > maxHeaders) return yield fault([], "too_big", `At most ${maxHeaders} headers.`)
  for (const [name, value] of entries) {
    if (!token.test(name)) yield fault([name], "invalid_string", "Not the name of a header.")
    else if (reservedHeader.test(name)) yield fault([name], "custom", "The service sets this header.")
    else if (/[\r\n\0]/.test(value)) yield fault([name], "invalid_string", "Must not contain a line break.")
  }
}

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
  description: "Config of a `WEBHOOK` step. `url`, the values of `headers` and every text in `body` are templates."
})
export type WebhookConfig = typeof WebhookConfig.Type

export const UpdateContactConfig = Schema.Struct({
  updates: optional(ContactData),
  subscriptionAction: optional(Schema.Literals(["none", "subscribe", "unsubscribe"])),
  topics: optional(TopicStates)
}).annotate({
  identifier: "UpdateContactConfig",
  description:
    "Config of an `UPDATE_CONTACT` step. Texts in `updates` are templates. `topics` is what to set for topics, by their keys or ids."
})
export type UpdateContactConfig = typeof UpdateContactConfig.Type

export const defaultExitReason = "exit_step"

export const ExitConfig = Schema.Struct({
  reason: optional(Trimmed(1, 200).check(isOneLine))
}).annotate({ identifier: "ExitConfig", description: "Config of an `EXIT` step." })
export type ExitConfig = typeof ExitConfig.Type

/** What the API says about a type of step. The core adds its checks and how it runs. */
export interface StepTypeEntry {
  /** The name of a step that is created without one. */
  readonly name: string
  readonly config: Schema.Decoder<object>
  /** The branches on which transitions leave a step with this config. `null` is the transition without a branch. */
  readonly branches: (config: Schema.JsonObject) => ReadonlyArray<string | null>
  /** The branches in words. Only a type with other branches than `null` needs it. */
  readonly branchText?: string
  /** Keys of the config whose texts are templates, at any depth. */
  readonly rendered: ReadonlyArray<string>
  /** Keys of the config in which `null` is a value. In all others it counts as absent. */
  readonly nullKeys?: ReadonlyArray<string>
  /** No step can follow. */
  readonly isFinal?: true
  /** The step has a template: `templateId`, in the step or in its config. */
  readonly hasTemplate?: true
}

const noBranch = () => [null]

const entries = {
  SEND_EMAIL: {
    name: "Send email",
    config: SendEmailConfig,
    branches: noBranch,
    rendered: ["recipient"],
    hasTemplate: true
  },
  DELAY: {
    name: "Delay",
    config: DelayConfig,
    branches: delayBranches,
    branchText: "From a DELAY until a field `missing`, `passed` or `null`.",
    rendered: []
  },
  WAIT_FOR_EVENT: {
    name: "Wait for event",
    config: WaitConfig,
    branches: () => [null, "event", "timeout"],
    branchText: "From a WAIT_FOR_EVENT `event`, `timeout` or `null`.",
    rendered: []
  },
  CONDITION: {
    name: "Condition",
    config: ConditionConfig,
    branches: conditionBranches,
    branchText: "From a CONDITION `yes`, `no`, the id of a branch, or `default`.",
    rendered: []
  },
  SPLIT: {
    name: "Split",
    config: SplitConfig,
    branches: splitBranches,
    branchText: "From a SPLIT the id of a branch.",
    rendered: []
  },
  TIME_WINDOW: { name: "Time window", config: TimeWindowConfig, branches: noBranch, rendered: [] },
  RATE_LIMIT: {
    name: "Rate limit",
    config: RateLimitConfig,
    branches: () => [null, "exceeded"],
    branchText: "From a RATE_LIMIT `exceeded` or `null`.",
    rendered: []
  },
  WEBHOOK: {
    name: "Webhook",
    config: WebhookConfig,
    branches: noBranch,
    rendered: ["url", "headers", "body"],
    nullKeys: ["body"]
  },
  UPDATE_CONTACT: { name: "Update contact", config: UpdateContactConfig, branches: noBranch, rendered: ["updates"] },
  EXIT: { name: "Exit", config: ExitConfig, branches: () => [], rendered: [], isFinal: true }
} satisfies { readonly [type: string]: StepTypeEntry }

type AddedStepType = keyof typeof entries

/** The types of steps that callers add, in the order of the API document. */
export const stepTypes: { readonly [Type in AddedStepType]: StepTypeEntry } = entries

const types = Struct.keys(stepTypes)
const configs = types.map((type) => stepTypes[type].config)

/** Schemas that the OpenAPI document has although no endpoint refers to them: the configs, and their filter tree. */
export const documented = [...configs, StepFilterTree].map(Schema.toEncoded)

/** The branches of all types in words, sorted by type. */
export const branchText = [
  ...types.toSorted().flatMap((type) => stepTypes[type].branchText ?? []),
  "From any other step `null`."
].join(" ")

/** Types with a template, as the API document lists them. */
export const typesWithTemplate = types
  .filter((type) => stepTypes[type].hasTemplate)
  .map((type) => `\`${type}\``)
  .join(" or ")

/** Refers to the config of a type in the API document. */
const referenceTo = (type: AddedStepType) => ({
  $ref: `#/components/schemas/${Schema.resolveAnnotations(Schema.toEncoded(stepTypes[type].config))?.identifier}`
})

/** Whether a step of the type can be created without a config. */
const isConfigOptional = (type: AddedStepType): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(stepTypes[type].config)({}))

const triggerForm = (required: ReadonlyArray<string>) => ({
  properties: { type: { type: "string", enum: ["TRIGGER"] }, config: { type: "object" } },
  required
})

/**
 * Describes in the OpenAPI document which config belongs to which `type`. The core decides what is accepted. Only a new
 * step has no TRIGGER, and only a record has every field.
 */
export const byType = (form: "graph" | "new" | "record") =>
  Schema.makeFilter<object>(() => true, {
    toJsonSchema: () => ({
      oneOf: [
        ...(form === "new" ? [] : [triggerForm(form === "record" ? ["type", "config"] : ["type"])]),
        ...types.map((type) => ({
          properties: { type: { type: "string", enum: [type] }, config: referenceTo(type) },
          required: form === "record" || !isConfigOptional(type) ? ["type", "config"] : ["type"]
        }))
      ]
    })
  })

/** Describes the config in a body that does not name the type of the step. */
export const anyConfig = Schema.makeFilter<object>(() => true, {
  toJsonSchema: () => ({ anyOf: types.map(referenceTo) })
})

/** The fields of the configs of all types. */
export const configFields: Known | Open = knownOf(Schema.Union(configs))
