/** The API reference: a page for each group of endpoints. Everything but the search works without scripts. */
import { get, type Schemas } from "@posthorn/contract/service/examples/SchemaParts"
import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import { addressOf, type Group, groupsOf } from "./Groups.ts"
import {
  type Endpoint,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Response,
  resolve
} from "./OpenApiDocument.ts"
import { described } from "./Prose.ts"
import { sampleView } from "./SampleView.ts"
import { fieldsOf, kindOf } from "./SchemaView.ts"

/** Builds each page on request. The name of the first page is empty. */
export const referencePages = (document: OpenApiDocument): ReadonlyMap<string, () => Html> => {
  const groups = groupsOf(document)
  const page = (title: string, current: string, content: () => HtmlValue) => () =>
    shell(document, groups, title, current, content())
  return new Map([
    ["", page("API reference", "", () => overview(document, groups))],
    ...groups.map((group) => [group.name, page(group.title, group.name, () => groupView(group, document))] as const),
    ["webhook-events", page("Webhook events", "webhook-events", () => webhookEvents(document))],
    ["errors", page("Errors", "errors", () => errors(document))],
    ["schemas", page("Schemas", "schemas", () => schemas(document))]
  ])
}

const shell = (
  { info }: OpenApiDocument,
  groups: ReadonlyArray<Group>,
  title: string,
  current: string,
  content: HtmlValue
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - ${info.title}</title>
<link rel="stylesheet" href="/docs.css">
<script src="/docs.js" defer></script>
</head>
<body>
<header>
  <a class="skip" href="#main">Skip to the content</a>
  <a class="title" href="/docs">${info.title} <span>API ${info.version}</span></a>
  <div class="search" role="search" hidden>
    <label class="unseen" for="search">Search the reference</label>
    <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" maxlength="100" aria-describedby="found">
    <kbd aria-hidden="true">/</kbd>
    <div class="results" hidden><p id="found" role="status"></p><ul></ul></div>
  </div>
  <a class="menu" href="#contents">Contents</a>
</header>
<nav id="contents" aria-label="Contents">
  <a class="close" href="#main">Close</a>
  <ul>
    ${link("/docs", "Overview", current === "")}
    ${groups.map((group) => groupEntry(group, current))}
    ${link("/docs/webhook-events", "Webhook events", current === "webhook-events")}
    ${link("/docs/errors", "Errors", current === "errors")}
    ${link("/docs/schemas", "Schemas", current === "schemas")}
  </ul>
</nav>
<main id="main" tabindex="-1">${content}</main>
</body>
</html>
`

const link = (address: string, text: string, isCurrent: boolean): Html =>
  html`<li><a href="${address}"${isCurrent && html` aria-current="page"`}>${text}</a></li>`

const groupEntry = (group: Group, current: string): Html => {
  const isCurrent = group.name === current
  return html`
<li><a href="/docs/${group.name}"${isCurrent && html` aria-current="page"`}>${group.title}</a>${
    isCurrent && html`<ul>${group.members.map((member) => operationEntry(group, member))}</ul>`
  }</li>`
}

const operationEntry = (group: Group, endpoint: Endpoint): Html =>
  html`<li><a href="${addressOf(group, endpoint)}">${titleOf(endpoint)}</a></li>`

const titleOf = ({ operation }: Endpoint): string => operation.summary ?? operation.operationId

const overview = ({ info }: OpenApiDocument, groups: ReadonlyArray<Group>): Html => html`
<div class="intro">
  <h1>${info.title} API</h1>
  ${described(info.description)}
  <p>For programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1, and <a href="/llms.txt">llms.txt</a>.</p>
  <h2 id="samples">Run the samples</h2>
  <p>The samples read the address of the service and the keys of a project from the environment. Where an endpoint takes only a
  session, the command line sends that of <code>posthorn login</code>.</p>
  <pre><code>export POSTHORN_URL=https://mail.example.com
export POSTHORN_KEY=sk_...            # the secret key
export POSTHORN_PUBLIC_KEY=pk_...     # the public key, for track
export POSTHORN_SESSION='__Host-posthorn_session=...'   # the cookie of a login</code></pre>
  <h2 id="groups">Groups</h2>
</div>
<ul class="groups">${groups.map(
  ({ name, title, description, members }) => html`
  <li><a href="/docs/${name}">${title}</a><p>${description}</p><p class="kind">${members.length} ${members.length === 1 ? "endpoint" : "endpoints"}</p></li>`
)}
</ul>`

const groupView = (group: Group, document: OpenApiDocument): Html => html`
<div class="intro">
  <h1>${group.title}</h1>
  ${described(group.description)}
  <ul class="calls">${group.members.map(
    (member) =>
      html`<li><a href="#${member.operation.operationId}"><span class="method ${member.method.toLowerCase()}">${member.method}</span> <code>${member.path}</code></a></li>`
  )}</ul>
</div>
${group.members.map((member) => endpointView(member, document))}`

const endpointView = (endpoint: Endpoint, document: OpenApiDocument): Html => {
  const { method, path, operation } = endpoint
  const { components } = document
  const { operationId, description, parameters = [], requestBody, responses } = operation
  const known = parameters.map((found) => resolve(found, components.parameters)).filter((found) => found !== undefined)
  const of = (place: string) => known.filter((parameter) => parameter.in === place)
  const answers = Object.entries(responses).map(
    ([status, found]) => [status, resolve(found, components.responses)] as const
  )
  return html`
<article id="${operationId}">
  <div class="about">
    <h2><a href="#${operationId}">${titleOf(endpoint)}</a></h2>
    <p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
    ${described(description)}
    ${credentials(operation)}
    ${parameterList("In the path", of("path"))}
    ${parameterList("In the query", of("query"))}
    ${requestBody && html`<h3>Body</h3>${body(requestBody.content, components.schemas)}`}
    ${
      of("header").length > 0 &&
      html`<details class="more"><summary>Headers</summary><ul class="fields">${of("header").map(parameter)}</ul></details>`
    }
    <h3>Answers</h3>
    ${answers.filter(([status]) => status < "400").map(([status, found]) => success(status, found, components.schemas))}
    <details class="more"><summary>Errors</summary><dl>${answers
      .filter(([status]) => status >= "400")
      .map(([status, found]) => html`<dt>${status}</dt><dd>${described(found?.description)}</dd>`)}</dl></details>
  </div>
  ${sampleView(endpoint, document)}
</article>`
}

const named: { readonly [scheme: string]: string } = {
  secretKey: "the secret key (sk_...) or an API key (ph_...)",
  publicKey: "the public key (pk_...)",
  session: "the session of a login"
}

const credentials = ({ security = [] }: Operation): HtmlValue => {
  const schemes = security.flatMap((choice) => Object.keys(choice))
  return (
    schemes.length > 0 && html`<p class="quiet">Accepts ${schemes.map((name) => named[name] ?? name).join(" or ")}.</p>`
  )
}

const parameterList = (title: string, parameters: ReadonlyArray<Parameter>): HtmlValue =>
  parameters.length > 0 && html`<h3>${title}</h3><ul class="fields">${parameters.map(parameter)}</ul>`

const parameter = ({ name, required, description, schema }: Parameter): Html => {
  const byDefault = get(schema, "default")
  return html`
<li>
  <code class="name">${name}</code> <span class="kind">${kindOf(schema)}${
    byDefault !== undefined && html`, default <code>${String(byDefault)}</code>`
  }</span>${required === true && html` <strong>required</strong>`}
  ${described(description)}
</li>`
}

const body = (content: NonNullable<Response["content"]>, schemas: Schemas): HtmlValue =>
  Object.entries(content).map(
    ([type, { schema }]) =>
      html`<p class="media"><code>${type}</code> <span class="kind">${kindOf(schema)}</span></p>${fieldsOf(schema, schemas)}`
  )

const success = (status: string, found: Response | undefined, schemas: Schemas): Html => html`
<div class="success">
  <p class="media"><strong class="status">${status}</strong> ${Object.entries(found?.content ?? {}).map(
    ([type, { schema }], position) => html`${position > 0 && ", "}<span class="kind">${type} ${kindOf(schema)}</span>`
  )}</p>
  ${described(found?.description)}
  ${Object.values(found?.content ?? {}).map(({ schema }) => {
    const fields = fieldsOf(schema, schemas)
    return fields !== null && html`<details class="more"><summary>Fields of the response</summary>${fields}</details>`
  })}
</div>`

/** The requests that the service makes to the webhooks of a project. */
const webhookEvents = ({ webhooks = {}, components }: OpenApiDocument): Html => {
  const events = Object.entries(webhooks).flatMap(([type, { post }]) => (post === undefined ? [] : [{ type, post }]))
  const headers = (events[0]?.post.parameters ?? []).flatMap((found) => ("$ref" in found ? [] : [found]))
  return html`
<div class="intro">
  <h1>Webhook events</h1>
  <p>The service posts each event as JSON to the webhooks that subscribe to its type. It tries until the answer is 2xx.
  <code>verifyWebhook</code> of the client checks the signature and types the event.
  <code>posthorn webhooks listen</code> forwards events to your machine.</p>
  ${parameterList("Headers", headers)}
  <ul class="calls">${events.map(({ type }) => html`<li><a href="#${type}"><code>${type}</code></a></li>`)}</ul>
</div>
${events.map(
  ({ type, post }) => html`
<article id="${type}">
  <div class="about">
    <h2><a href="#${type}">${type}</a></h2>
    ${described(post.description)}
    ${body(post.requestBody?.content ?? {}, components.schemas)}
  </div>
</article>`
)}`
}

/** The schema `Error`: the list of codes, and the fields of their details. */
const errors = ({ components }: OpenApiDocument): Html => {
  const schema = components.schemas["Error"]
  const inner = get(get(get(schema, "properties"), "error"), "properties")
  return html`
<div class="intro wide">
  <h1>Errors</h1>
  ${described(get(schema, "description"))}
  <h2 id="codes">Codes</h2>
  ${described(get(get(inner, "code"), "description"), true)}
  <h2 id="details">Details</h2>
  ${described(get(get(inner, "details"), "description"))}
  <h2 id="envelope">Envelope</h2>
  ${fieldsOf(withoutTables(schema), components.schemas, "Error")}
</div>`
}

/** The tables stand above. */
const withoutTables = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema ?? {}), (key, value) =>
    key === "description" && typeof value === "string" ? value.split("\n\n|")[0] : value
  )

const schemas = ({ components }: OpenApiDocument): Html => html`
<div class="intro wide">
  <h1>Schemas</h1>
  <p>The objects in requests and responses, by name.</p>
  <ul class="names">${Object.keys(components.schemas).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
</div>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`
<article id="schema-${name}">
  <div class="about">
    <h2><a href="#schema-${name}">${name}</a></h2>
    ${described(get(withoutTables(schema), "description"))}
    ${fieldsOf(withoutTables(schema), components.schemas, name) || html`<p class="kind">${kindOf(schema)}</p>`}
  </div>
</article>`
)}`
