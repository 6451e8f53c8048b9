/** The text that inboxes show beside the subject: hidden at the start of the HTML (MJML writes it alike). */
import { escapeHtml } from "../../platform/web/EscapeHtml.ts"

const hidden = "display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden"

/** The index behind a tag whose name ends at `from`. A quoted attribute may contain `>`. */
const endOfTag = (html: string, from: number): number => {
  let quote = ""
  for (let at = from; at < html.length; at++) {
    const character = html[at] ?? ""
    if (quote !== "") quote = character === quote ? "" : quote
    else if (character === ">") return at + 1
    else if (character === '"' || character === "'") quote = character
  }
  return html.length
}

/** The index behind `<body>`; without one behind `</head>`; without that 0. Comments are passed over. */
const startOfBody = (html: string): number => {
  const marks = /<!--|<body(?=[\s/>])|<\/head\s*>/gi
  let start = 0
  for (let mark = marks.exec(html); mark !== null; mark = marks.exec(html)) {
    if (mark[0] === "<!--") {
      const end = html.indexOf("-->", mark.index + 4)
      if (end === -1) return start
      marks.lastIndex = end + 3
    } else if (mark[0].startsWith("</")) start = marks.lastIndex
    else return endOfTag(html, marks.lastIndex)
  }
  return start
}

export const withPreheader = (html: string, preheader: string): string => {
  const at = startOfBody(html)
  return `${html.slice(0, at)}<div style="${hidden}">${escapeHtml(preheader)}</div>${html.slice(at)}`
}
