/** The samples of an operation, and the response to them. */
import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import { Predicate } from "effect"
import { type Endpoint, type OpenApiDocument, resolve } from "./OpenApiDocument.ts"
import { samplesOf } from "./Samples.ts"

const quotation = /"(?:[^"\\\n]|\\.)*"|'[^']*'|`[^`]*`/g

/** Highlights quoted texts. */
const coloured = (text: string): HtmlValue => {
  const parts: Array<HtmlValue> = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(quotation)) {
    parts.push(text.slice(end, index), html`<span class="s">${found}</span>`)
    end = index + found.length
  }
  return [...parts, text.slice(end)]
}

/** Does not highlight keys of JSON. */
const colouredJson = (text: string): HtmlValue =>
  text.split("\n").map((line, position) => {
    const [key = ""] = /^\s*(?:"[^"]*": )?/.exec(line) ?? []
    const comma = line.endsWith(",") ? "," : ""
    const value = line.slice(key.length, line.length - comma.length)
    const shown = value.startsWith('"') ? html`<span class="s">${value}</span>` : value
    return html`${position > 0 && "\n"}${key}${shown}${comma}`
  })

const languages = { curl: "curl", typescript: "TypeScript", cli: "CLI" } as const

/** The type and the text of a response. Undefined if it has no body. */
export const answerOf = (endpoint: Endpoint, { components }: OpenApiDocument) => {
  const { responses } = endpoint.operation
  const [status = "", found] = Object.entries(responses).find(([each]) => each.startsWith("2")) ?? []
  const content = found === undefined ? undefined : resolve(found, components.responses)?.content
  const [type, media] = Object.entries(content ?? {})[0] ?? []
  if (type === undefined || media === undefined) return { status, type, text: undefined }
  const { example } = media
  const text =
    type === "text/event-stream" && Predicate.isObject(example)
      ? Object.entries(example)
          .map(([name, value]) => `${name}: ${value}`)
          .join("\n")
      : typeof example === "string"
        ? example.trimEnd()
        : JSON.stringify(example, null, 2)
  return { status, type, text }
}

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
    ${(["curl", "typescript", "cli"] as const).map((name) => html`<pre class="${name}"><code>${coloured(samples[name])}</code></pre>`)}
  </fieldset>
  <section class="answer" aria-label="Example of an answer to ${operationId}">
    <p class="legend">Answer <span class="status">${status}</span>${type && html` <span class="kind">${type}</span>`}</p>
    <pre><code>${text === undefined ? "No content" : type === "application/json" ? colouredJson(text) : text}</code></pre>
  </section>
</div>`
}
