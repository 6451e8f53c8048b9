/** The API reference: works without scripts, on one page so that a browser can search it. */
import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import {
  type Endpoint,
  endpoints,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Response,
  resolve
} from "./OpenApiDocument.ts"
import { described, fieldsOf, kindOf } from "./SchemaView.ts"

export const referencePage = (document: OpenApiDocument): Html => {
  const { info, tags = [], components } = document
  const all = endpoints(document)
  const groups = tags.map((tag) => ({
    ...tag,
    members: all.filter(({ operation }) => operation.tags?.includes(tag.name))
  }))
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API reference</title>
<link rel="stylesheet" href="/docs.css">
<a class="skip" href="#main">Skip to the endpoints</a>
<nav aria-label="Endpoints">
  <p class="title">${info.title} <span>${info.version}</span></p>
  ${groups.map(({ name, members }) => html`<h2>${name}</h2><ul>${members.map(entry)}</ul>`)}
  <h2>Schemas</h2>
  <ul>${Object.keys(components.schemas).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
</nav>
<main id="main">
  <h1>${info.title} API</h1>
  ${described(info.description)}
  <p>For programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1, and <a href="/llms.txt">llms.txt</a>.</p>
  ${groups.map(
    ({ name, description, members }) => html`
  <section><h2>${name}</h2>${described(description)}${members.map((member) => endpoint(member, document))}</section>`
  )}
  <section><h2>Schemas</h2>${Object.entries(components.schemas).map(([name, schema]) => namedSchema(name, schema))}</section>
</main>
</html>
`
}

const entry = ({ method, operation }: Endpoint): Html =>
  html`<li><a href="#${operation.operationId}"><span class="method">${method}</span> ${operation.summary ?? operation.operationId}</a></li>`

const endpoint = ({ method, path, operation }: Endpoint, { components }: OpenApiDocument): Html => {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const known = parameters.map((found) => resolve(found, components.parameters)).filter((found) => found !== undefined)
  return html`
<article id="${operationId}">
  <h3><a href="#${operationId}">${summary ?? operationId}</a></h3>
  <p class="call"><span class="method">${method}</span> <code>${path}</code></p>
  ${described(description)}
  ${credentials(operation)}
  ${known.length > 0 && html`<h4>Parameters</h4><ul class="fields">${known.map(parameter)}</ul>`}
  ${requestBody && html`<h4>Body</h4>${body(requestBody.content)}`}
  <h4>Answers</h4>
  <dl>${Object.entries(responses).map(([status, found]) => response(status, resolve(found, components.responses)))}</dl>
</article>`
}

const named: { readonly [scheme: string]: string } = {
  secretKey: "the secret key (sk_...)",
  publicKey: "the public key (pk_...)",
  session: "the session of the dashboard"
}

const credentials = ({ security = [] }: Operation): HtmlValue => {
  const schemes = security.flatMap((choice) => Object.keys(choice))
  return (
    schemes.length > 0 && html`<p class="quiet">Takes ${schemes.map((name) => named[name] ?? name).join(" or ")}.</p>`
  )
}

const parameter = ({ name, in: place, required, description, schema }: Parameter): Html => html`
<li>
  <code class="name">${name}</code> <span class="kind">${kindOf(schema)}, in ${place}</span>${required === true && html` <strong>required</strong>`}
  ${described(description)}
</li>`

const body = (content: NonNullable<Response["content"]>): HtmlValue =>
  Object.entries(content).map(
    ([type, { schema }]) => html`<p><code>${type}</code> ${kindOf(schema)}</p>${fieldsOf(schema)}`
  )

const response = (status: string, found: Response | undefined): Html => html`
<dt>${status}</dt>
<dd>${described(found?.description)}${
  found?.content && Object.values(found.content).map(({ schema }) => html`<p class="kind">${kindOf(schema)}</p>`)
}</dd>`

const namedSchema = (name: string, schema: unknown): Html => html`
<article id="schema-${name}">
  <h3><a href="#schema-${name}">${name}</a></h3>
  ${described(schema !== null && typeof schema === "object" && "description" in schema ? schema.description : undefined)}
  ${fieldsOf(schema) || html`<p class="kind">${kindOf(schema)}</p>`}
</article>`
