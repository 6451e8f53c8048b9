/** One page of the documentation, and the frame around each. */
import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import type { Heading } from "../markdown/Markdown.ts"

export interface Page {
  /** The address below `/docs/`; empty for the first page. */
  readonly name: string
  readonly title: string
  /** In a sentence, for lists of pages. */
  readonly about: string
  /** In parts: others have a turn between them, because a large page takes a tenth of a second to make. */
  readonly content: () => Iterable<HtmlValue>
  /** The same as Markdown. */
  readonly markdown: () => string
  /** Headings for the list beside the page. */
  readonly headings?: () => ReadonlyArray<Heading>
  /** Pages of the navigation below this one. */
  readonly entries?: ReadonlyArray<{ readonly address: string; readonly title: string }>
}

export const addressOf = ({ name }: Pick<Page, "name">): string => (name === "" ? "/docs" : `/docs/${name}`)

export const markdownAddressOf = ({ name }: Pick<Page, "name">): string => `/docs/${name === "" ? "index" : name}.md`

export interface Section {
  readonly title: string
  readonly pages: ReadonlyArray<Page>
}

export interface Site {
  readonly title: string
  readonly version: string
  readonly sections: ReadonlyArray<Section>
  /** The address of the console; undefined if the server has none. */
  readonly console?: string | undefined
}

const entry = (page: Page, current: Page): Html => {
  const isCurrent = page.name === current.name
  const { entries = [] } = page
  return html`
<li><a href="${addressOf(page)}"${isCurrent && html` aria-current="page"`}>${page.title}</a>${
    isCurrent &&
    entries.length > 0 &&
    html`<ul>${entries.map(({ address, title }) => html`<li><a href="${address}">${title}</a></li>`)}</ul>`
  }</li>`
}

const onThisPage = (headings: ReadonlyArray<Heading>): HtmlValue =>
  headings.length > 1 &&
  html`
<nav class="here" aria-labelledby="here"><p id="here">On this page</p>
<ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`

/** The pages before and after this one, for readers who go through the guides. */
const neighbours = ({ sections }: Site, current: Page): HtmlValue => {
  const { pages = [] } = sections.find((section) => section.pages.includes(current)) ?? {}
  const position = pages.indexOf(current)
  const [before, after] = [pages[position - 1], pages[position + 1]]
  return html`
<footer class="next">
  ${before === undefined ? html`<span></span>` : html`<a rel="prev" href="${addressOf(before)}"><span>Before</span> ${before.title}</a>`}
  ${after !== undefined && html`<a rel="next" href="${addressOf(after)}"><span>Next</span> ${after.title}</a>`}
</footer>`
}

/** The page in parts. */
export const framed = function* (site: Site, page: Page): Generator<Html> {
  const headings = page.headings?.() ?? []
  yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} - ${site.title}</title>
<meta name="description" content="${page.about}">
<link rel="alternate" type="text/markdown" href="${markdownAddressOf(page)}">
<link rel="stylesheet" href="/docs.css">
<script src="/docs.js" defer></script>
</head>
<body>
<header class="top">
  <a class="skip" href="#main">Skip to the content</a>
  <a class="title" href="/docs">${site.title} <span>Docs</span></a>
  <div class="search" role="search" hidden>
    <label class="unseen" for="search">Search the documentation</label>
    <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" maxlength="100" aria-describedby="found">
    <kbd aria-hidden="true">/</kbd>
    <div class="results" hidden><p id="found" role="status"></p><ul></ul></div>
  </div>
  ${site.console !== undefined && html`<a class="console" href="${site.console}">Console</a>`}
  <a class="menu" href="#contents">Contents</a>
</header>
<nav id="contents" aria-label="Contents">
  <a class="close" href="#main">Close</a>
  ${site.sections.map(
    ({ title, pages }) => html`
  <p class="part">${title}</p>
  <ul>${pages.map((each) => entry(each, page))}</ul>`
  )}
</nav>
<main id="main" tabindex="-1"${headings.length > 1 && html` class="with-list"`}>
<div class="page">
<p class="tools"><a href="${markdownAddressOf(page)}">View as Markdown</a></p>
`
  for (const part of page.content()) yield html`${part}`
  yield html`
${neighbours(site, page)}
</div>
${onThisPage(headings)}
</main>
</body>
</html>
`
}
