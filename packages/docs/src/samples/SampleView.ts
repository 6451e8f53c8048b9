/** The samples of an operation, and the response to them. */
import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import { Predicate } from "effect"
import { type Endpoint, type OpenApiDocument, resolve } from "../document/OpenApiDocument.ts"
import { highlighted } from "./Highlight.ts"
import { samplesOf } from "./Samples.ts"

const languages = { curl: "curl", typescript: "TypeScript", cli: "CLI" } as const

const codes = { curl: "sh", typescript: "ts", cli: "sh" } as const

/** An example as text. An event of a stream is shown as it is sent. */
const textOf = (type: string, example: unknown): string =>
  type === "text/event-stream" && Predicate.isObject(example)
    ? Object.entries(example)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n")
    : typeof example === "string"
      ? example.trimEnd()
      : JSON.stringify(example, null, 2)

/** The type and the text of a response. Undefined if it has no body. */
export const answerOf = (endpoint: Endpoint, { components }: OpenApiDocument) => {
  const { responses } = endpoint.operation
  const [status = "", found] = Object.entries(responses).find(([each]) => each.startsWith("2")) ?? []
  const content = found === undefined ? undefined : resolve(found, components.responses)?.content
  const [type, media] = Object.entries(content ?? {})[0] ?? []
  if (type === undefined || media === undefined) return { status, type, text: undefined }
  return { status, type, text: textOf(type, media.example) }
}

/** An example of JSON beside what it is an example of. */
export const exampleView = (title: string, about: string, example: unknown): HtmlValue =>
  example !== undefined &&
  html`
<div class="side"><section class="answer" aria-label="Example of ${about}">
  <p class="legend">${title}</p>
  <pre tabindex="0"><code>${highlighted(JSON.stringify(example, null, 2), "json")}</code></pre>
</section></div>`

export const sampleView = (endpoint: Endpoint, document: OpenApiDocument): Html => {
  const { operationId } = endpoint.operation
  const samples = samplesOf(endpoint, document)
  const { status, type, text } = answerOf(endpoint, document)
  return html`
<div class="side">
  <fieldset class="samples">
    <legend>Request</legend>
    <div class="choice">${Object.entries(languages).map(
      ([name, label], position) => html`
      <input type="radio" name="in-${operationId}" value="${name}" id="${operationId}-${name}"${position === 0 && html` checked`}>
      <label for="${operationId}-${name}">${label}</label>`
    )}
    </div>
    ${(["curl", "typescript", "cli"] as const).map((name) => html`<pre class="${name}" tabindex="0"><code>${highlighted(samples[name], codes[name])}</code></pre>`)}
  </fieldset>
  <section class="answer" aria-label="Example of an answer to ${operationId}">
    <p class="legend">Answer <span class="status">${status}</span>${type && html` <span class="kind">${type}</span>`}</p>
    <pre tabindex="0"><code>${text === undefined ? "No content" : type === "application/json" ? highlighted(text, "json") : text}</code></pre>
  </section>
</div>`
}
