/**
 * The pages of the dev mailbox. They work without a script and at any width, and escape everything from an email. With
 * a script the list shows new mail automatically. Links are relative, because an application can serve the pages below
 * any path.
 */

import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import { DateTime } from "effect"
import { devPage } from "./DevPage.ts"
import type { Entry } from "./MailboxStore.ts"
import type { MailContent } from "./MailContent.ts"
import { isSafeLink, linksOf } from "./MailLinks.ts"
import { previewSandbox } from "./MailPreview.ts"

export const mailsOnPage = 50

/** The relative URL of the list, from the list itself and from the page of a mail. */
const here = "mailbox"
const above = "../mailbox"

export interface ListPage {
  readonly entries: ReadonlyArray<Entry>
  /** The number of matches. */
  readonly total: number
  readonly search: string
  /** From 1. */
  readonly page: number
}

export const listPage = ({ entries, total, search, page }: ListPage): Html =>
  layout(
    search === "" ? "Mails" : `Search: ${search}`,
    here,
    html`<h1>Mails</h1>
<form class="search" role="search" action="${here}">
  <label for="search">Address or subject</label>
  <div class="row">
    <input id="search" name="search" type="search" value="${search}" maxlength="200" autocomplete="off" spellcheck="false">
    <button type="submit">Search</button>
  </div>
</form>
<div id="mails">
<p role="status">${summary(total, search)}</p>
${entries.length > 0 && html`<ol class="mails">${entries.map(listItem)}</ol>`}
${pages(total, search, page)}
${total > 0 && search === "" && clearing(total)}
</div>
<noscript><p><a href="${here}">Reload</a></p></noscript>`,
    html`<script src="${here}.js" defer></script>`
  )

const summary = (total: number, search: string): Html => {
  const mails = `${total} ${total === 1 ? "mail" : "mails"}`
  if (search !== "") return html`${mails} for “<bdi>${search}</bdi>”. <a href="${here}">Show all</a>`
  if (total === 0) return html`No mail yet. All mail that the service sends appears here.`
  return html`${mails}, newest first.`
}

const listItem = (entry: Entry): Html => html`
<li>
  <a class="subject" href="${here}/${entry.id}"><bdi>${subjectOf(entry)}</bdi></a>
  <span class="people">to <bdi>${entry.to}</bdi> from <bdi>${entry.from}</bdi></span>
  <span class="facts">${timeOf(entry)} · ${sizeOf(entry.size)}</span>
</li>`

const pages = (total: number, search: string, page: number): HtmlValue => {
  const last = Math.ceil(total / mailsOnPage)
  if (last <= 1) return null
  const link = (to: number, text: string) =>
    to >= 1 &&
    to <= last &&
    html`<a href="${here}?${new URLSearchParams({ search, page: `${to}` }).toString()}">${text}</a>`
  return html`<nav class="pages" aria-label="Pages">
  ${link(Math.min(page - 1, last), "Newer")} <span>Page ${page} of ${last}</span> ${link(page + 1, "Older")}
</nav>`
}

const clearing = (total: number): Html => html`
<details class="clear">
  <summary>Empty the mailbox</summary>
  <form method="post" action="${here}/clear">
    <p>This permanently deletes ${total === 1 ? "the mail" : `all ${total} mails`}.</p>
    <button type="submit">Delete ${total === 1 ? "it" : "them"}</button>
  </form>
</details>`

interface Section {
  /** The target of links within the page. */
  readonly id: string
  readonly title: string
  readonly content: Html
}

export const mailPage = (entry: Entry, content: MailContent, source: Uint8Array): Html => {
  const links = linksOf(content)
  const { attachments, headers, html: markup, text } = content
  const sections: ReadonlyArray<Section | false> = [
    markup !== null && { id: "html", title: "HTML", content: preview(entry) },
    text !== null && { id: "text", title: "Text", content: longText("Text", text, entry) },
    links.length > 0 && { id: "links", title: "Links", content: linkList(links) },
    attachments.length > 0 && { id: "attachments", title: "Attachments", content: attachmentList(attachments) },
    headers.length > 0 && { id: "headers", title: "Headers", content: headerList(content) },
    { id: "source", title: "Source", content: sourceView(entry, source) }
  ]
  const shown = sections.filter((section) => section !== false)
  return layout(
    subjectOf(entry),
    above,
    html`<nav class="back" aria-label="Back"><a href="${above}">All mails</a></nav>
<h1><bdi>${subjectOf(entry)}</bdi></h1>
<dl class="envelope">
  ${fact("From", html`<bdi>${content.fromName}</bdi> <bdi>&lt;${entry.from}&gt;</bdi>`)}
  ${fact("To", html`<bdi>${entry.to}</bdi>`)}
  ${fact("Received", timeOf(entry))}
  ${fact("Return path", html`<bdi>${entry.returnPath === "" ? "none" : entry.returnPath}</bdi>`)}
  ${entry.emailId !== null && fact("Email id", html`<code>${entry.emailId}</code>`)}
  ${fact("Size", html`${sizeOf(entry.size)} · <a href="${entry.id}.eml">Download .eml</a>`)}
</dl>
<nav class="parts" aria-label="Parts of the mail"><ul>
  ${shown.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
</ul></nav>
${shown.map(({ id, title, content }) => html`<section id="${id}"><h2>${title}</h2>${content}</section>`)}`
  )
}

const fact = (name: string, value: HtmlValue): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

/** A choice without a script: the style sheet changes the width of the frame after it. */
const preview = ({ id }: Entry): Html => html`
<fieldset class="widths">
  <legend>Width</legend>
  <label><input type="radio" name="width" checked> Full</label>
  <label><input type="radio" name="width" class="tablet"> Tablet</label>
  <label><input type="radio" name="width" class="phone"> Phone</label>
</fieldset>
<div class="screen">
  <iframe class="preview" title="HTML of the mail" src="${id}.html" sandbox="${previewSandbox}"></iframe>
</div>`

/** Can have the focus, so that the keyboard can scroll overflowing content. */
const scrolling = (label: string, content: HtmlValue): Html =>
  html`<div class="scrolling" tabindex="0" role="region" aria-label="${label}">${content}</div>`

const linkList = (links: ReadonlyArray<string>): Html =>
  html`<p>Links open in a new tab.</p><ul class="links">${links.map(linkItem)}</ul>`

const linkItem = (link: string): Html =>
  html`<li>${isSafeLink(link) ? html`<a href="${link}" target="_blank" rel="noopener noreferrer">${link}</a>` : link}</li>`

const attachmentList = (attachments: MailContent["attachments"]): Html =>
  html`<ul>${attachments.map(attachmentItem)}</ul>`

const attachmentItem = ({ filename, contentType, content }: MailContent["attachments"][number]): Html =>
  html`<li><bdi>${filename === "" ? "without a name" : filename}</bdi>, ${contentType}, ${sizeOf(content.byteLength)}</li>`

const headerList = ({ headers }: MailContent): Html =>
  scrolling("Headers", html`<dl class="headers">${headers.map(([name, value]) => fact(name, value))}</dl>`)

const longestShown = 256 * 1024

const longText = (label: string, text: string, { id }: Entry): Html => html`
${text.length > longestShown && html`<p>The text is cut here. <a href="${id}.eml">Download the mail</a> for the full text.</p>`}
${scrolling(label, html`<pre>${text.slice(0, longestShown)}</pre>`)}`

const sourceView = (entry: Entry, source: Uint8Array): Html => html`
<details>
  <summary>Show the source</summary>
  ${longText("Source", new TextDecoder().decode(source.subarray(0, longestShown + 1)), entry)}
</details>`

export const missingPage: Html = layout(
  "No such mail",
  above,
  html`<h1>No such mail</h1>
<p>It was deleted, by you or to keep the mailbox within its limit. <a href="${above}">All mail</a></p>`
)

const subjectOf = ({ subject }: Entry): string => (subject.trim() === "" ? "(no subject)" : subject)

const timeOf = ({ receivedAt }: Entry): Html => {
  const iso = DateTime.formatIso(receivedAt)
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`
}

/** In decimal units. Number and unit stay on one line. */
const sizeOf = (octets: number): string => {
  if (octets < 1_000) return `${octets}\u00a0B`
  return octets < 999_950 ? `${(octets / 1_000).toFixed(1)}\u00a0kB` : `${(octets / 1_000_000).toFixed(1)}\u00a0MB`
}

function layout(title: string, list: string, content: Html, script: HtmlValue = null): Html {
  const home = { href: list, name: "Posthorn dev mailbox" }
  return devPage({ title: `${title} · Dev mailbox`, home, style: `${list}.css`, script, content })
}
