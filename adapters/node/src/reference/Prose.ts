/** Converts the Markdown of descriptions to HTML: paragraphs, lists, tables and code. They contain nothing else. */
import { catalogue } from "@posthorn/contract/platform/ErrorCatalogue"
import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"

/** Text in backticks becomes code; an error code becomes a link to its description. */
const inline = (text: string): HtmlValue =>
  text.split("`").map((part, position) => (position % 2 === 1 ? code(part) : part))

const code = (text: string): Html =>
  errorCodes.has(text) ? html`<a href="/docs/errors#${text}"><code>${text}</code></a>` : html`<code>${text}</code>`

const errorCodes: ReadonlySet<string> = new Set(
  Object.entries(catalogue).map(([row, entry]) => ("code" in entry ? entry.code : row))
)

const cellsOf = (row: string): ReadonlyArray<string> =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The cell of an error code, as the target of links. If a code has several rows, the first is the target. */
const codeCell = (name: string, isFirst: boolean): Html =>
  html`<td${isFirst && html` id="${name}"`}><a href="#${name}"><code>${name}</code></a></td>`

const table = ([head = "", , ...rows]: ReadonlyArray<string>, anchored: boolean): Html => {
  const cells = rows.map(cellsOf)
  const codes = cells.map(([first = ""]) => /^`([A-Z_]+)`$/.exec(first)?.[1])
  return html`
<table>
  <thead><tr>${cellsOf(head).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
  <tbody>${cells.map((row, number) => {
    const code = anchored ? codes[number] : undefined
    const first = code !== undefined && codeCell(code, codes.indexOf(code) === number)
    return html`<tr>${first}${row.slice(first === false ? 0 : 1).map((text) => html`<td>${inline(text)}</td>`)}</tr>`
  })}</tbody>
</table>`
}

const block = (text: string, anchored: boolean): Html => {
  const lines = text.split("\n")
  if (lines.length > 2 && lines.every((line) => line.startsWith("|"))) return table(lines, anchored)
  if (lines.every((line) => line.startsWith("- "))) {
    return html`<ul class="list">${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`
  }
  return html`<p>${inline(text)}</p>`
}

/** With `anchored`, links can target the first cell of each row of a table. */
export const described = (text: unknown, anchored = false): HtmlValue =>
  typeof text === "string" && text.split(/\n\n+/).map((part) => block(part, anchored))
