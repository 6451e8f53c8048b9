/** The pages about the API: one for each resource, and those about errors, events, webhooks and schemas. */

import { sharedEvents } from "@posthorn/contract/events/EventName"
import { catalogue } from "@posthorn/contract/platform/ErrorCatalogue"
import { get } from "@posthorn/contract/service/examples/SchemaParts"
import { type Html, html } from "@posthorn/core/platform/web/Html"
import { addressOfOperation, type Group } from "../document/Groups.ts"
import type { OpenApiDocument, Operation } from "../document/OpenApiDocument.ts"
import {
  errorsMarkdown,
  eventsMarkdown,
  groupMarkdown,
  schemasMarkdown,
  webhooksMarkdown
} from "../markdown/ApiMarkdown.ts"
import { described, type Heading } from "../markdown/Markdown.ts"
import { exampleView } from "../samples/SampleView.ts"
import { bodyView, operationLink, operationView, parameterList, titleOf } from "./OperationView.ts"
import type { Page } from "./Page.ts"
import { fieldsOf, kindOf } from "./SchemaView.ts"

interface Delivered {
  readonly type: string
  readonly post: Operation
}

/** The requests that the service makes to the webhooks of a project. */
export const deliveriesOf = ({ webhooks = {} }: OpenApiDocument): ReadonlyArray<Delivered> =>
  Object.entries(webhooks).flatMap(([type, { post }]) => (post === undefined ? [] : [{ type, post }]))

const groupIntro = (group: Group): Html => html`
<div class="intro">
  <h1>${group.title}</h1>
  ${described(group.description)}
  <ul class="calls">${group.members.map((member) => operationLink(member, false))}</ul>
</div>
`

const webhookEvents = function* (document: OpenApiDocument): Generator<Html> {
  const events = deliveriesOf(document)
  const headers = (events[0]?.post.parameters ?? []).flatMap((found) => ("$ref" in found ? [] : [found]))
  yield html`
<div class="intro apart">
  <h2 id="deliveries">What your server gets</h2>
  <p>The service posts each event as JSON to the webhooks that subscribe to its type, and tries until the answer is 2xx.
  <code>verifyWebhook</code> of the client checks the signature and types the event.</p>
  ${parameterList("Headers", headers)}
  <ul class="names">${events.map(({ type }) => html`<li><a href="#${type}"><code>${type}</code></a></li>`)}</ul>
</div>
`
  for (const { type, post } of events) {
    yield html`
<article id="${type}">
  <div class="about">
    <h2><a href="#${type}"><code>${type}</code></a></h2>
    ${described(post.description)}
    ${bodyView(post.requestBody?.content ?? {}, document.components.schemas)}
  </div>
  ${exampleView("The body", type, post.requestBody?.content["application/json"]?.example)}
</article>`
  }
}

/** Events that the service records itself, which conditions and triggers can name like events of the project. */
const recordedEvents = (document: OpenApiDocument): Html => {
  const shared: ReadonlySet<string> = new Set(sharedEvents)
  const events = deliveriesOf(document).filter(({ type }) => type !== "event.tracked" && type !== "webhook.test")
  const row = ({ type, post }: Delivered) =>
    html`<tr><td><a href="/docs/webhooks#${type}"><code>${type.replace("segment.", "segment.<slug>.")}</code></a></td><td>${described(post.description)}</td></tr>`
  const table = (rows: ReadonlyArray<Delivered>) =>
    html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">When</th></tr></thead><tbody>${rows.map(row)}</tbody></table></div>`
  return html`
<div class="intro apart">
  <h2 id="names">Events of the service</h2>
  <p>Your code gives its own events any name of 1 to 255 characters. The service records these itself, with the fields that the
  page of each shows. Segments, workflows and webhooks use both alike. You cannot track these names:</p>
  ${table(events.filter(({ type }) => !shared.has(type)))}
  <p>These names may be yours as well. The <code>source</code> of an event tells them apart:</p>
  ${table(events.filter(({ type }) => shared.has(type)))}
</div>`
}

const groupContent = function* (group: Group): Generator<Html> {
  const { name, members, document } = group
  yield groupIntro(group)
  for (const member of members) yield operationView(member, document)
  if (name === "webhooks") yield* webhookEvents(document)
  if (name === "events") yield recordedEvents(document)
}

const partsOf = (name: string): ReadonlyArray<{ readonly address: string; readonly title: string }> =>
  name === "webhooks"
    ? [{ address: "/docs/webhooks#deliveries", title: "What your server gets" }]
    : name === "events"
      ? [{ address: "/docs/events#names", title: "Events of the service" }]
      : []

export const groupPage = (group: Group): Page => ({
  name: group.name,
  title: group.title,
  about: group.description,
  content: () => groupContent(group),
  markdown: () =>
    [
      groupMarkdown(group),
      ...(group.name === "webhooks" ? [webhooksMarkdown(group.document)] : []),
      ...(group.name === "events" ? [eventsMarkdown(group.document)] : [])
    ].join("\n"),
  entries: [
    ...group.members.map((member) => ({ address: addressOfOperation(member), title: titleOf(member) })),
    ...partsOf(group.name)
  ]
})

const errorRows = Object.entries(catalogue)

const statuses: ReadonlyArray<number> = [...new Set(errorRows.map(([, { status }]) => status))]

const statusNames: { readonly [status: number]: string } = {
  400: "Bad request",
  401: "Unauthorized",
  402: "Payment required",
  403: "Forbidden",
  404: "Not found",
  408: "Timeout",
  409: "Conflict",
  413: "Too large",
  414: "URI too long",
  415: "Unsupported media type",
  422: "Unprocessable content",
  429: "Too many requests",
  500: "Internal error",
  503: "Unavailable"
}

const statusTitle = (status: number): string => `${status} ${statusNames[status] ?? ""}`.trim()

const errorHeadings: ReadonlyArray<Heading> = [
  ...statuses.map((status) => ({ id: `status-${status}`, text: statusTitle(status) })),
  { id: "details", text: "Reasons of a conflict" },
  { id: "envelope", text: "Envelope" }
]

/** The tables of the descriptions stand on the page of errors. */
const withoutTables = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema ?? {}), (key, value) =>
    key === "description" && typeof value === "string" ? value.split("\n\n|")[0] : value
  )

const errorExampleOf = (document: OpenApiDocument, row: string): unknown => {
  const named = document.components.examples?.[row]?.value
  const others = get(document.components.schemas["Error"], "examples")
  const isThis = (each: unknown) => get(get(each, "error"), "code") === row
  return named ?? (Array.isArray(others) ? others.find(isThis) : undefined)
}

const errorsContent = (document: OpenApiDocument): Html => {
  const schema = document.components.schemas["Error"]
  const inner = get(get(get(schema, "properties"), "error"), "properties")
  const entries = errorRows.flatMap(([row, entry]) => [{ row, ...entry }])
  return html`
<div class="intro">
  <h1>Errors</h1>
  <p>Every error has one envelope. Decide by <code>error.code</code>, which is from this closed list. <code>message</code> is for
  people, and <code>suggestion</code> says what to do. <code>requestId</code> finds the request in the log.</p>
</div>
${statuses.map(
  (status) => html`
<h2 id="status-${String(status)}" class="band">${statusTitle(status)}</h2>
${entries
  .filter((entry) => entry.status === status)
  .map(
    (entry) => html`
<article id="${entry.row}">
  <div class="about">
    <h3><a href="#${entry.row}"><code>${"code" in entry ? entry.code : entry.row}</code></a></h3>
    ${described(entry.when)}
    <p class="do"><strong>What to do</strong> ${entry.suggestion}</p>
  </div>
  ${exampleView(`${status}`, entry.row, errorExampleOf(document, entry.row))}
</article>`
  )}`
)}
<div class="intro apart">
  <h2 id="details">Reasons of a conflict</h2>
  ${described(get(get(inner, "details"), "description"))}
  <h2 id="envelope">Envelope</h2>
  ${fieldsOf(withoutTables(schema), document.components.schemas, "Error")}
</div>`
}

export const errorsPage = (document: OpenApiDocument): Page => ({
  name: "errors",
  title: "Errors",
  about: "Every code of an error: when it happens and what to do.",
  content: () => [errorsContent(document)],
  markdown: () => errorsMarkdown(document),
  entries: errorHeadings.map(({ id, text }) => ({ address: `/docs/errors#${id}`, title: text }))
})

export const schemasPage = (document: OpenApiDocument): Page => {
  const { schemas } = document.components
  return {
    name: "schemas",
    title: "Schemas",
    about: "The objects in requests and answers, by name.",
    content: function* () {
      yield html`
<div class="intro wide">
  <h1>Schemas</h1>
  <p>The objects in requests and answers, by name.</p>
  <ul class="names">${Object.keys(schemas).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
</div>
`
      for (const [name, schema] of Object.entries(schemas)) {
        yield html`
<article id="schema-${name}">
  <div class="about">
    <h2><a href="#schema-${name}">${name}</a></h2>
    ${described(get(withoutTables(schema), "description"))}
    ${fieldsOf(withoutTables(schema), schemas, name) || html`<p class="kind">${kindOf(schema)}</p>`}
  </div>
</article>`
      }
    },
    markdown: () => schemasMarkdown(document)
  }
}
