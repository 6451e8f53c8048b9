/** The list and the feed (RSS 2.0) of a public archive. Pure. */
import { DateTime } from "effect"
import { type Html, html } from "../../../platform/web/Html.ts"
import type { Language } from "../../../platform/web/Languages.ts"
import { type PageContext, page } from "../../../platform/web/PageHtml.ts"
import type { ArchivePage, ArchiveProject } from "./Archive.ts"

interface ArchiveWords {
  readonly title: string
  readonly empty: string
  readonly feed: string
  readonly newer: string
  readonly older: string
  readonly untitled: string
}

const words: Readonly<Record<Language, ArchiveWords>> = {
  en: {
    title: "Archive",
    empty: "No messages yet.",
    feed: "Feed (RSS)",
    newer: "Newer messages",
    older: "Older messages",
    untitled: "Message without a subject"
  },
  de: {
    title: "Archiv",
    empty: "Noch keine Nachrichten.",
    feed: "Feed (RSS)",
    newer: "Neuere Nachrichten",
    older: "Ältere Nachrichten",
    untitled: "Nachricht ohne Betreff"
  },
  fr: {
    title: "Archives",
    empty: "Aucun message pour le moment.",
    feed: "Flux (RSS)",
    newer: "Messages plus récents",
    older: "Messages plus anciens",
    untitled: "Message sans objet"
  },
  es: {
    title: "Archivo",
    empty: "Todavía no hay mensajes.",
    feed: "Fuente (RSS)",
    newer: "Mensajes más recientes",
    older: "Mensajes anteriores",
    untitled: "Mensaje sin asunto"
  },
  nl: {
    title: "Archief",
    empty: "Nog geen berichten.",
    feed: "Feed (RSS)",
    newer: "Nieuwere berichten",
    older: "Oudere berichten",
    untitled: "Bericht zonder onderwerp"
  },
  pt: {
    title: "Arquivo",
    empty: "Ainda não há mensagens.",
    feed: "Feed (RSS)",
    newer: "Mensagens mais recentes",
    older: "Mensagens mais antigas",
    untitled: "Mensagem sem assunto"
  },
  it: {
    title: "Archivio",
    empty: "Ancora nessun messaggio.",
    feed: "Feed (RSS)",
    newer: "Messaggi più recenti",
    older: "Messaggi meno recenti",
    untitled: "Messaggio senza oggetto"
  },
  pl: {
    title: "Archiwum",
    empty: "Nie ma jeszcze wiadomości.",
    feed: "Kanał (RSS)",
    newer: "Nowsze wiadomości",
    older: "Starsze wiadomości",
    untitled: "Wiadomość bez tematu"
  },
  ja: {
    title: "アーカイブ",
    empty: "まだメッセージはありません。",
    feed: "フィード (RSS)",
    newer: "新しいメッセージ",
    older: "古いメッセージ",
    untitled: "件名のないメッセージ"
  },
  "zh-CN": {
    title: "存档",
    empty: "还没有邮件。",
    feed: "订阅源 (RSS)",
    newer: "较新的邮件",
    older: "较早的邮件",
    untitled: "无主题的邮件"
  }
}

/** What the list shows: its project, and which page of it. */
export interface ShownArchive {
  readonly project: ArchiveProject
  readonly found: ArchivePage
  readonly number: number
}

export const archivePage = (place: PageContext, { project, found, number }: ShownArchive): Html => {
  const { empty, feed, newer, older, title, untitled } = words[place.language]
  const dates = new Intl.DateTimeFormat(place.language, { dateStyle: "long", timeZone: "UTC" })
  const base = `${place.base}/archive/${project.id}`
  const items = found.campaigns.map(
    ({ id, sentAt, subject }) => html`
<li><a href="${base}/${id}">${subject.trim() === "" ? untitled : subject}</a><br><time datetime="${DateTime.formatIso(sentAt)}">${dates.format(DateTime.toDate(sentAt))}</time></li>`
  )
  const to = (other: number) => `?page=${other}&lang=${place.language}`
  return page(
    { ...place, kept: number === 1 ? "" : `page=${number}&` },
    {
      title,
      project: project.name,
      content: html`<h1>${title}</h1>
${items.length === 0 ? html`<p>${empty}</p>` : html`<ul>${items}\n</ul>`}
${number > 1 && html`<p><a href="${to(number - 1)}" rel="prev">${newer}</a></p>\n`}${
  found.hasMore && html`<p><a href="${to(number + 1)}" rel="next">${older}</a></p>\n`
}<p><a href="${base}/feed.xml" type="application/rss+xml">${feed}</a></p>`
    }
  )
}

/** What XML 1.0 2.2 does not allow. */
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const plain = (text: string) => text.toWellFormed().replace(notXml, "")

export const archiveFeed = (
  publicUrl: string,
  language: Language,
  project: ArchiveProject,
  found: ArchivePage
): string => {
  const address = `${publicUrl}/archive/${project.id}`
  const { title, untitled } = words[language]
  const name = `${project.pages.name ?? project.name} – ${title}`
  const items = found.campaigns.map(
    ({ id, sentAt, subject }) => html`
<item>
<title>${plain(subject.trim() === "" ? untitled : subject)}</title>
<link>${address}/${id}</link>
<guid>${address}/${id}</guid>
<pubDate>${DateTime.toDate(sentAt).toUTCString()}</pubDate>
</item>`
  )
  return html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${plain(name)}</title>
<link>${address}</link>
<description>${plain(name)}</description>
<language>${language}</language>
<atom:link href="${address}/feed.xml" rel="self" type="application/rss+xml"/>${items}
</channel>
</rss>
`.toString()
}
