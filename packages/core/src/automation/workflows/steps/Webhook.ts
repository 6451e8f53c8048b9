/** The request of a step to a server of the user, and the outcome of an answer. `run/WebhookCalls.ts` makes the requests. */
import { WebhookConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { DateTime, Duration, Effect, Schema } from "effect"
import type { StoredProject } from "../../../accounts/projects/Project.ts"
import { hasPlaceholders } from "../../../content/rendering/TemplateSyntax.ts"
import type { TextWorker } from "../../../content/text/TextWork.ts"
import { type OutboundError, type OutboundResponse, SafeFetch } from "../../../platform/outbound/SafeFetch.ts"
import { renderJson, renderText } from "./Rendered.ts"
import { restUntil, type StepDefinition, type StepInput, type StepOutcome } from "./StepDefinition.ts"

const readConfig = Schema.decodeUnknownSync(WebhookConfig)

/** All tries of a visit send the same request. */
export const WebhookRequest = Schema.Struct({
  url: Schema.String,
  method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.NullOr(Schema.String),
  timeoutSeconds: Schema.Int
})
export type WebhookRequest = typeof WebhookRequest.Type

const defaultTimeoutSeconds = 10
/** The pause after each try, up to a tenth shorter or longer. */
const waits = [Duration.seconds(10), Duration.minutes(1), Duration.minutes(5), Duration.minutes(30)]
const longestRetryAfter = Duration.hours(1)
const keptBody = 4 * 1024

const payload = ({ execution, contact, context, workflow, step }: StepInput): Schema.Json => ({
  project: { id: execution.projectId },
  contact: { id: contact.id, email: contact.email, subscribed: contact.subscribed, data: contact.data },
  workflow: { id: execution.workflowId, name: workflow.name },
  execution: { id: execution.id, startedAt: DateTime.formatIso(execution.startedAt) },
  step: { id: step.id, name: step.name },
  event: context
})

/** The request for one execution. */
export const requestOf = Effect.fnUntraced(function* (work: TextWorker, input: StepInput, project: StoredProject) {
  const { url, method = "POST", headers, body, timeoutSeconds } = readConfig(input.step.config)
  const given = yield* Effect.forEach(Object.entries(headers ?? {}), ([name, value]) =>
    Effect.map(
      renderText(work, value, input, project, "plain"),
      (text) => [name.toLowerCase(), text.replace(/(?!\t)\p{Cc}/gu, "")] as const
    )
  )
  const content =
    body === undefined ? payload(input) : yield* renderJson(work, body, input, project, { keepTypes: true })
  return {
    url: yield* renderText(work, url, input, project, "url"),
    method: method ?? "POST",
    headers: {
      "user-agent": "Posthorn",
      ...(method !== "GET" && { "content-type": "application/json" }),
      ...Object.fromEntries(given)
    },
    body: method === "GET" ? null : JSON.stringify(content),
    timeoutSeconds: timeoutSeconds ?? defaultTimeoutSeconds
  } satisfies WebhookRequest
})

export const continuesOnError = ({ step }: StepInput): boolean => readConfig(step.config).continueOnError === true

/** The result of a try, and its duration. */
export type CallResult = { readonly millis: number } & (
  | { readonly _tag: "Response"; readonly response: OutboundResponse }
  | { readonly _tag: "Fault"; readonly fault: OutboundError }
)

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** PostgreSQL stores no NUL in a text. */
const textOf = (body: Uint8Array): string =>
  new TextDecoder().decode(body.slice(0, keptBody)).replaceAll("\0", "\uFFFD")

/** RFC 9110 10.2.3: seconds, or a date. */
const retryAfter = ({ status, headers }: OutboundResponse, now: DateTime.Utc): Duration.Duration => {
  const given = status === 429 || status === 503 ? headers["retry-after"]?.trim() : undefined
  if (given === undefined) return Duration.zero
  const millis = /^\d{1,9}$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - now.epochMilliseconds
  return Duration.clamp(Duration.millis(Number.isNaN(millis) ? 0 : Math.max(0, millis)), {
    minimum: Duration.zero,
    maximum: longestRetryAfter
  })
}

/** The outcome of a try. `chance`, from 0 to 1, spreads the pauses. */
export const outcomeOf = (
  answer: CallResult,
  { tries, continues, chance }: { readonly tries: number; readonly continues: boolean; readonly chance: number },
  now: DateTime.Utc
): StepOutcome => {
  const success = answer._tag === "Response" && isSuccess(answer.response.status)
  const output = {
    success,
    statusCode: answer._tag === "Response" ? answer.response.status : null,
    attempts: tries,
    durationMs: answer.millis,
    responseBody: answer._tag === "Response" ? textOf(answer.response.body) : null
  }
  if (success) return { _tag: "Done", output }
  const wait = waits[tries - 1]
  const isFinal = answer._tag === "Fault" && answer.fault.reason === "url_not_allowed"
  if (wait === undefined || isFinal) {
    const [code, message] =
      answer._tag === "Fault"
        ? [answer.fault.reason, answer.fault.message]
        : ["http_status", `The server answered ${answer.response.status}.`]
    return { _tag: "Failed", code, message, output, continues }
  }
  const ladder = Duration.times(wait, 0.9 + 0.2 * chance)
  const asked = answer._tag === "Response" ? retryAfter(answer.response, now) : Duration.zero
  const until = DateTime.addDuration(now, Duration.max(ladder, asked))
  return { ...restUntil(until), output, outside: true }
}

/** A URL with placeholders is checked when the request is made. */
const urlFaults = (fetch: SafeFetch["Service"], { url }: WebhookConfig): ReadonlyArray<Fault> =>
  (hasPlaceholders(url) ? /^(?:https?:\/\/|\{\{)/i.test(url) : fetch.allows(url))
    ? []
    : [{ field: "config.url", code: "custom", message: "Not an http or https URL that may be called." }]

export const webhook: StepDefinition<never, SafeFetch> = {
  checks: Effect.map(SafeFetch, (fetch) => ({ config: (config) => urlFaults(fetch, config as WebhookConfig) })),
  run: Effect.succeed((inputs) => Effect.succeed(inputs.map(() => ({ _tag: "Outside" }))))
}
