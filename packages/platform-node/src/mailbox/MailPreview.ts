/** The HTML of an email as a separate document, for a frame without scripts and origin. */
import type { MailContent } from "./MailContent.ts"

/**
 * The frame may show styles, images and fonts from anywhere, like an email program, and open links in a new tab. The
 * policy is sent with the document, so that it also applies outside of the frame.
 */
export const previewSandbox = "allow-popups allow-popups-to-escape-sandbox"

export const previewPolicy = [
  `sandbox ${previewSandbox}`,
  "default-src 'none'",
  "img-src data: http: https:",
  "style-src 'unsafe-inline' http: https:",
  "font-src data: http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'"
].join("; ")

/** Limit of octets of embedded parts, because a mail can refer to one part a thousand times. */
const mostSetIn = 32 * 1024 * 1024

/** Embeds the parts that the mail refers to with `cid:` (RFC 2392), and makes links open in a new tab. */
export const previewOf = ({ html, attachments }: Pick<MailContent, "html" | "attachments">): string => {
  const parts = new Map(attachments.map((part) => [part.contentId, part]))
  let room = mostSetIn
  const whole = (html ?? "").replace(/\bcid:([^\s"'<>)]+)/gi, (link, id) => {
    const part = parts.get(id)
    if (!part || part.content.byteLength > room) return link
    room -= part.content.byteLength
    return `data:${part.contentType};base64,${Buffer.from(part.content).toString("base64")}`
  })
  // Inserted after the start of the head: before a doctype it would switch the browser into quirks mode.
  const start = /<head\b[^>]*>|<html\b[^>]*>|<!doctype\b[^>]*>/gi
  const at = Math.max(
    0,
    ...whole
      .slice(0, 4_096)
      .matchAll(start)
      .map(({ index, 0: tag }) => index + tag.length)
  )
  return `${whole.slice(0, at)}<base target="_blank">${whole.slice(at)}`
}
