/** An upper bound of the size of a message before it is built. Pure. */
import type { AttachmentInfo } from "@posthorn/contract/mail/emails/Email"

const utf8 = new TextEncoder()
const bytes = (text: string) => utf8.encode(text).length

/** The size in base64, in lines of 76 characters with CRLF (RFC 2045 section 6.8). No other encoding of parts is longer. */
const encoded = (size: number) => Math.ceil(size / 3) * 4 * (78 / 76)

/** Bytes of address fields, signatures and boundaries. */
const overhead = 8 * 1024

export const messageBytes = ({
  subject,
  html,
  text,
  headers,
  attachments
}: {
  readonly subject: string
  readonly html: string | null
  readonly text: string
  readonly headers: { readonly [name: string]: string }
  readonly attachments: ReadonlyArray<Pick<AttachmentInfo, "size">>
}): number => {
  const parts = [bytes(html ?? ""), bytes(text), ...attachments.map(({ size }) => size)]
  const lines = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + bytes(value) * 2, 0)
  return Math.ceil(parts.reduce((sum, size) => sum + encoded(size), overhead + lines + bytes(subject) * 2))
}
