/** The unsubscribe footer of MARKETING mail. */

import { escapeHtml } from "../../platform/web/EscapeHtml.ts"
import type { Language } from "../../platform/web/Languages.ts"
import { footerWords } from "./FooterWords.ts"

export interface FooterOptions {
  readonly language: Language
  /** The unsubscribe link of this recipient. */
  readonly unsubscribeUrl: string
  readonly projectName: string
}

export interface Bodies {
  readonly html: string
  readonly text: string
}

/** Adds the footer to the end of both parts. Changes nothing if the HTML already contains this recipient's link. */
export const withFooter = (bodies: Bodies, { language, unsubscribeUrl, projectName }: FooterOptions): Bodies => {
  const { html, text } = bodies
  const link = escapeHtml(unsubscribeUrl)
  if (html.includes(unsubscribeUrl) || html.includes(link)) return bodies
  const { reason, unsubscribe } = footerWords[language]
  const paragraph =
    `<p lang="${language}" style="margin:24px 0;text-align:center;font:12px/18px sans-serif;color:#666666">` +
    `${escapeHtml(reason(projectName))} ` +
    `<a href="${link}" style="color:#666666;text-decoration:underline">${escapeHtml(unsubscribe)}</a></p>`
  const end = endOfBody(html)
  return {
    html: `${html.slice(0, end)}${paragraph}${html.slice(end)}`,
    text: `${text === "" ? "" : `${text}\n\n`}${reason(projectName)}\n${unsubscribe}: ${unsubscribeUrl}`
  }
}

/** The index before the last `</body>`, or the end of the HTML. */
const endOfBody = (html: string): number => {
  let end = html.length
  for (const { index } of html.matchAll(/<\/body\s*>/gi)) end = index
  return end
}
