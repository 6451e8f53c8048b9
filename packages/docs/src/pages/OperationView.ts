/** What the documentation says about one operation. */
import { catalogue, type Row } from "@posthorn/contract/platform/ErrorCatalogue"
import { get, type Schemas } from "@posthorn/contract/service/examples/SchemaParts"
import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import { addressOfOperation } from "../document/Groups.ts"
import {
  type Endpoint,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Response,
  resolve
} from "../document/OpenApiDocument.ts"
import { described } from "../markdown/Markdown.ts"
import { callOf } from "../samples/Call.ts"
import { sampleView } from "../samples/SampleView.ts"
import { fieldsOf, kindOf } from "./SchemaView.ts"

export const titleOf = ({ operation }: Endpoint): string => operation.summary ?? operation.operationId

export const methodView = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

export const credentials: { readonly [scheme: string]: string | undefined } = {
  secretKey: "secret key (sk_...) or API key (ph_...)",
  publicKey: "public key (pk_...)",
  session: "session of a login"
}

/** Who may call: the credentials, the role of a member, and the scopes of an API key. */
export const access = (operation: Operation) => ({
  takes: (operation.security ?? []).flatMap((choice) => Object.keys(choice)).map((name) => credentials[name] ?? name),
  role: operation["x-posthorn-role"] ?? undefined,
  scopes: operation["x-posthorn-scope"] ?? []
})

const scopeText = (scopes: ReadonlyArray<string>): HtmlValue =>
  scopes.map((scope, position) => html`${position > 0 && " or "}<code>${scope === "*" ? "any" : scope}</code>`)

const accessView = (operation: Operation): HtmlValue => {
  const { takes, role, scopes } = access(operation)
  return (
    takes.length > 0 &&
    html`
<dl class="facts">
  <dt>Takes</dt><dd>${takes.join(", or ")}</dd>
  ${role !== undefined && html`<dt>Role</dt><dd><code>${role}</code> or higher, with a session</dd>`}
  ${scopes.length > 0 && html`<dt>Scope</dt><dd>${scopeText(scopes)}, with an API key</dd>`}
</dl>`
  )
}

export const parameterList = (title: string, parameters: ReadonlyArray<Parameter>): HtmlValue =>
  parameters.length > 0 && html`<h3>${title}</h3><ul class="fields">${parameters.map(parameterView)}</ul>`

const parameterView = ({ name, required, description, schema }: Parameter): Html => {
  const byDefault = get(schema, "default")
  return html`
<li>
  <code class="name">${name}</code> <span class="kind">${kindOf(schema)}${
    byDefault !== undefined && html`, default <code>${String(byDefault)}</code>`
  }</span>${required === true && html` <strong>required</strong>`}
  ${described(description)}
</li>`
}

export const bodyView = (content: NonNullable<Response["content"]>, schemas: Schemas): HtmlValue =>
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

const isRow = (name: string): name is Row => Object.hasOwn(catalogue, name)

/** The rows of the catalogue that a response can be. */
export const rowsOf = (found: Response | undefined): ReadonlyArray<Row> =>
  Object.keys(found?.content?.["application/json"]?.examples ?? {}).filter(isRow)

export const codeOf = (row: Row): string => {
  const entry: { readonly code?: string; readonly status: number } = catalogue[row]
  return entry.code ?? row
}

/** The code of an error, when it happens and what to do. */
const errorView = (row: Row): Html => {
  const { when, suggestion } = catalogue[row]
  return html`<li><a href="/docs/errors#${row}"><code>${codeOf(row)}</code></a> ${described(when)}<p class="do">${suggestion}</p></li>`
}

const errorsView = (status: string, found: Response | undefined): Html => {
  const rows = rowsOf(found)
  return html`<dt>${status}</dt><dd>${
    rows.length === 0 ? described(found?.description) : html`<ul class="errors">${rows.map(errorView)}</ul>`
  }</dd>`
}

export const answersOf = ({ operation }: Endpoint, { components }: OpenApiDocument) =>
  Object.entries(operation.responses).map(([status, found]) => [status, resolve(found, components.responses)] as const)

export const parametersOf = ({ operation }: Endpoint, { components }: OpenApiDocument): ReadonlyArray<Parameter> =>
  (operation.parameters ?? [])
    .map((found) => resolve(found, components.parameters))
    .filter((found) => found !== undefined)

export const operationView = (endpoint: Endpoint, document: OpenApiDocument): Html => {
  const { method, path, operation } = endpoint
  const { schemas } = document.components
  const { operationId, description, requestBody } = operation
  const of = (place: string) => parametersOf(endpoint, document).filter((parameter) => parameter.in === place)
  const answers = answersOf(endpoint, document)
  const call = callOf(endpoint, document)
  return html`
<article id="${operationId}"${call !== undefined && html` data-call="${JSON.stringify(call)}"`}>
  <div class="about">
    <h2><a href="#${operationId}">${titleOf(endpoint)}</a></h2>
    <p class="call">${methodView(method)} <code>${path}</code></p>
    ${described(description)}
    ${accessView(operation)}
    ${parameterList("In the path", of("path"))}
    ${parameterList("In the query", of("query"))}
    ${requestBody && html`<h3>Body</h3>${bodyView(requestBody.content, schemas)}`}
    ${
      of("header").length > 0 &&
      html`<details class="more"><summary>Headers</summary><ul class="fields">${of("header").map(parameterView)}</ul></details>`
    }
    <h3>Answers</h3>
    ${answers.filter(([status]) => status < "400").map(([status, found]) => success(status, found, schemas))}
    <details class="more"><summary>Errors and what to do</summary><dl>${answers
      .filter(([status]) => status >= "400")
      .map(([status, found]) => errorsView(status, found))}</dl></details>
  </div>
  ${sampleView(endpoint, document)}
</article>`
}

/** An operation in a list, with a link to its description. */
export const operationLink = (endpoint: Endpoint, anchored: boolean): Html => {
  const { method, path, operation } = endpoint
  return html`<li${anchored && html` id="${operation.operationId}"`}><a href="${addressOfOperation(endpoint)}">${methodView(method)} <code>${path}</code> <span>${titleOf(endpoint)}</span></a></li>`
}
