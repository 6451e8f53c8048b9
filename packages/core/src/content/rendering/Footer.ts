/** The unsubscribe footer of MARKETING mail. */

import { escapeHtml } from "../../platform/web/EscapeHtml.ts"
import type { Language } from "../../platform/web/Languages.ts"
import { footerWords } from "./FooterWords.ts"

export interface FooterOptions {
  readonly language: Language
  /** The unsubscribe link of this recipient. */
  readonly unsubscribeUrl: string
  readonly projectName: string
  /** Name of the topic of the mail. */
  readonly topic?: string | null
  /** The link to the preferences of this recipient. Empty: none. */
  readonly manageUrl?: string
  /** Whether the text was written, and not made from the HTML. */
  readonly hasOwnText?: boolean
}

export interface Bodies {
  /** Null for a mail of plain text only. */
  readonly html: string | null
  readonly text: string
}

/** Adds the footer to the end of each part, unless the part contains this recipient's link. */
export const withFooter = (
  { html, text }: Bodies,
  { language, unsubscribeUrl, projectName, topic = null, manageUrl = "", hasOwnText }: FooterOptions
): Bodies => {
  const link = escapeHtml(unsubscribeUrl)
  const hasLink = html === null || html.includes(unsubscribeUrl) || html.includes(link)
  const textHasLink = hasOwnText || html === null ? text.includes(unsubscribeUrl) : hasLink
  const { reason, reasonOfTopic, unsubscribe, preferences } = footerWords[language]
  const why = topic === null ? reason(projectName) : reasonOfTopic(topic, projectName)
  const anchor = (href: string, words: string) =>
    `<a href="${escapeHtml(href)}" style="color:#666666;text-decoration:underline">${escapeHtml(words)}</a>`
  const paragraph = () =>
    `<p lang="${language}" style="margin:24px 0;text-align:center;font:12px/18px sans-serif;color:#666666">` +
    `${escapeHtml(why)} ${anchor(unsubscribeUrl, unsubscribe)}` +
    `${manageUrl === "" ? "" : ` · ${anchor(manageUrl, preferences)}`}</p>`
  const lines = () =>
    `${text === "" ? "" : `${text}\n\n`}${why}\n${unsubscribe}: ${unsubscribeUrl}` +
    `${manageUrl === "" ? "" : `\n${preferences}: ${manageUrl}`}`
  return {
    html: hasLink ? html : withParagraph(html, paragraph()),
    text: textHasLink ? text : lines()
  }
}

const withParagraph = (html: string, paragraph: string): string => {
  const end = endOfBody(html)
  return `${html.slice(0, end)}${paragraph}${html.slice(end)}`
}

/** The index before the last `</body>`, or the end of the HTML. */
const endOfBody = (html: string): number => {
  let end = html.length
  for (const { index } of html.matchAll(/<\/body\s*>/gi)) end = index
  return end
}
