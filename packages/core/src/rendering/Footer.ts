/** The unsubscribe footer of MARKETING mail (contract 8.1). */
import { footerWords } from "./FooterWords.ts"
import type { Language } from "./Languages.ts"
import { escapeHtml } from "./PrintedValue.ts"

export interface FooterOptions {
  readonly language: Language
  /** This recipient's own link. */
  readonly unsubscribeUrl: string
  readonly projectName: string
}

export interface Bodies {
  readonly html: string
  readonly text: string
}

/** Both parts with the footer at their end; unchanged when the HTML already holds this recipient's link. */
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

/** Before the last `</body>`, else behind everything. */
const endOfBody = (html: string): number => {
  let end = html.length
  for (const { index } of html.matchAll(/<\/body\s*>/gi)) end = index
  return end
}
