/**
 * Markdown as HTML, for guides and for the descriptions of the document. Everything that stands in it is escaped: HTML
 * in Markdown stays text.
 */
import { catalogue } from "@posthorn/contract/platform/ErrorCatalogue"
import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import { Lexer, type Token, type Tokens } from "marked"
import { highlighted, languageNames } from "../samples/Highlight.ts"

export interface Context {
  /** The address behind a code, such as that of an operation. Undefined: it is no link. */
  readonly codeLink?: (code: string) => string | undefined
  /** The address that a link leads to. Undefined: the text stands without a link. */
  readonly link?: (target: string) => string | undefined
  /** Whether the rows of tables whose first cell is an error code can be targets of links. */
  readonly anchored?: boolean
}

const errorCodes: ReadonlySet<string> = new Set(
  Object.entries(catalogue).map(([row, entry]) => ("code" in entry ? entry.code : row))
)

/** The address that describes an error. */
export const errorLink = (code: string): string | undefined =>
  errorCodes.has(code) ? `/docs/errors#${code}` : undefined

/** The id of a heading: its words with hyphens. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, "")
    .trim()
    .replaceAll(" ", "-")

const isToken = <T extends Token["type"]>(token: Token, type: T): token is Extract<Token, { readonly type: T }> =>
  token.type === type

/** The lexer escapes a few characters of codes, which the template escapes again. */
const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

export const textOf = (tokens: ReadonlyArray<Token> = []): string =>
  tokens
    .map((token) =>
      "tokens" in token && token.tokens !== undefined ? textOf(token.tokens) : "text" in token ? token.text : ""
    )
    .join("")

const renderer = (context: Context) => {
  const codeOf = (text: string): Html => {
    const address = errorLink(text) ?? context.codeLink?.(text)
    return address === undefined ? html`<code>${text}</code>` : html`<a href="${address}"><code>${text}</code></a>`
  }

  const inline = (tokens: ReadonlyArray<Token> = []): HtmlValue =>
    tokens.map((token): HtmlValue => {
      if (isToken(token, "codespan")) return codeOf(unescaped(token.text))
      if (isToken(token, "strong")) return html`<strong>${inline(token.tokens)}</strong>`
      if (isToken(token, "em")) return html`<em>${inline(token.tokens)}</em>`
      if (isToken(token, "br")) return html`<br>`
      if (isToken(token, "link")) {
        const address = context.link === undefined ? token.href : context.link(token.href)
        return address === undefined ? inline(token.tokens) : html`<a href="${address}">${inline(token.tokens)}</a>`
      }
      if (isToken(token, "text") && token.tokens !== undefined) return inline(token.tokens)
      return "text" in token ? unescaped(String(token.text)) : token.raw
    })

  const table = ({ header, rows }: Tokens.Table): Html => {
    const codes = rows.map(([first]) => errorCodeIn(first))
    return html`
<div class="scroll" tabindex="0"><table>
  <thead><tr>${header.map(({ tokens }) => (tokens.length === 0 ? html`<td></td>` : html`<th scope="col">${inline(tokens)}</th>`))}</tr></thead>
  <tbody>${rows.map((row, number) => {
    const code = context.anchored === true ? codes[number] : undefined
    const id = code !== undefined && codes.indexOf(code) === number && html` id="${code}"`
    return html`<tr>${row.map(({ tokens }, position) => html`<td${position === 0 && id}>${inline(tokens)}</td>`)}</tr>`
  })}</tbody>
</table></div>`
  }

  const item = ({ tokens }: Tokens.ListItem): Html =>
    html`<li>${tokens.map((token) => (isToken(token, "text") ? inline([token]) : block(token)))}</li>`

  const block = (token: Token): HtmlValue => {
    if (isToken(token, "heading")) {
      const id = slugOf(textOf(token.tokens))
      const content = html`<a href="#${id}">${inline(token.tokens)}</a>`
      if (token.depth === 1) return html`<h1>${inline(token.tokens)}</h1>`
      return token.depth === 2 ? html`<h2 id="${id}">${content}</h2>` : html`<h3 id="${id}">${content}</h3>`
    }
    if (isToken(token, "code")) {
      const language = token.lang ?? ""
      return html`<figure class="code"><figcaption>${languageNames[language] ?? language}</figcaption><pre tabindex="0"><code>${highlighted(token.text, language)}</code></pre></figure>`
    }
    if (isToken(token, "list")) {
      const items = (token as Tokens.List).items.map(item)
      return token.ordered === true ? html`<ol class="list">${items}</ol>` : html`<ul class="list">${items}</ul>`
    }
    if (isToken(token, "table")) return table(token as Tokens.Table)
    if (isToken(token, "blockquote")) return html`<blockquote>${(token.tokens ?? []).map(block)}</blockquote>`
    if (isToken(token, "hr")) return html`<hr>`
    if (isToken(token, "space")) return null
    return html`<p>${inline("tokens" in token && token.tokens !== undefined ? token.tokens : [token])}</p>`
  }

  return block
}

const errorCodeIn = (cell: Tokens.TableCell | undefined): string | undefined => {
  const text = textOf(cell?.tokens)
  return errorCodes.has(text) ? text : undefined
}

const lexed = (text: string) => new Lexer({ gfm: true }).lex(text)

export const markdown = (text: string, context: Context = {}): HtmlValue => lexed(text).map(renderer(context))

/** A description of the document: Markdown, or nothing. */
export const described = (text: unknown, context: Context = {}): HtmlValue =>
  typeof text === "string" && markdown(text, context)

export interface Heading {
  readonly id: string
  readonly text: string
}

/** The headings of the second level, for the list beside a page. */
export const headingsOf = (text: string): ReadonlyArray<Heading> =>
  lexed(text).flatMap((token) => {
    if (!isToken(token, "heading") || token.depth !== 2) return []
    const heading = textOf(token.tokens)
    return [{ id: slugOf(heading), text: unescaped(heading) }]
  })
