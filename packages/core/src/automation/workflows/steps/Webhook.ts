/** A request to the user's own server: what is sent, and what its answer means. */
import { WebhookConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import { DateTime, Duration, Effect, Schema } from "effect"
import type { Project } from "../../../accounts/projects/Project.ts"
import type { TextWorker } from "../../../content/text/TextWork.ts"
import type { OutboundError, OutboundResponse } from "../../../platform/outbound/SafeFetch.ts"
import { renderJson, renderText } from "./Rendered.ts"
import type { Outcome, StepContext } from "./StepType.ts"

const readConfig = Schema.decodeUnknownSync(WebhookConfig)

/** The same on every try of a visit. */
export const WebhookRequest = Schema.Struct({
  url: Schema.String,
  method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.NullOr(Schema.String),
  timeoutSeconds: Schema.Int
})
export type WebhookRequest = typeof WebhookRequest.Type

const defaultTimeoutSeconds = 10
/** After the first try and those that follow; each is up to a tenth shorter or longer. */
const waits = [Duration.seconds(10), Duration.minutes(1), Duration.minutes(5), Duration.minutes(30)]
export const maxTries = waits.length + 1
const longestRetryAfter = Duration.hours(1)
const keptBody = 4 * 1024

const payload = ({ execution, contact, context, workflow, step }: StepContext): Schema.Json => ({
  project: { id: execution.projectId },
  contact: { id: contact.id, email: contact.email, subscribed: contact.subscribed, data: contact.data },
  workflow: { id: execution.workflowId, name: workflow.name },
  execution: { id: execution.id, startedAt: DateTime.formatIso(execution.startedAt) },
  step: { id: step.id, name: step.name },
  event: context
})

/** What the config comes to for one execution. */
export const requestOf = Effect.fnUntraced(function* (work: TextWorker, visitor: StepContext, project: Project) {
  const { url, method = "POST", headers, body, timeoutSeconds } = readConfig(visitor.step.config)
  const given = yield* Effect.forEach(Object.entries(headers ?? {}), ([name, value]) =>
    Effect.map(
      renderText(work, value, visitor, project, "plain"),
      (text) => [name.toLowerCase(), text.replace(/(?!\t)\p{Cc}/gu, "")] as const
    )
  )
  const content =
    body === undefined ? payload(visitor) : yield* renderJson(work, body, visitor, project, { keepTypes: true })
  return {
    url: yield* renderText(work, url, visitor, project, "url"),
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

export const continuesOnError = ({ step }: StepContext): boolean => readConfig(step.config).continueOnError === true

/** How a try ended; `millis` is how long it took. */
export type Answer = { readonly millis: number } & (
  | { readonly _tag: "Response"; readonly response: OutboundResponse }
  | { readonly _tag: "Fault"; readonly fault: OutboundError }
)

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Text as a database can keep it. */
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

/** What a try has come to; `chance` is a number from 0 to 1. */
export const outcomeOf = (
  answer: Answer,
  { tries, goOn, chance }: { readonly tries: number; readonly goOn: boolean; readonly chance: number },
  now: DateTime.Utc
): Outcome => {
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
    return { _tag: "Failed", code, message, output, goOn }
  }
  const ladder = Duration.times(wait, 0.9 + 0.2 * chance)
  const asked = answer._tag === "Response" ? retryAfter(answer.response, now) : Duration.zero
  const until = DateTime.addDuration(now, Duration.max(ladder, asked))
  return { _tag: "Rest", status: "SCHEDULED", until, lookAt: until, event: null, output, outside: true }
}
