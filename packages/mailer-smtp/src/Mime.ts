/** The MIME tree of a message (RFC 2045, 2046): mixed > related > alternative, only as deep as needed. */
import type { Message, MessageAttachment } from "@posthorn/core/platform/Mailer"
import { buildHeaderValue, parseHeaderValue } from "nodemailer/lib/mime-funcs"
import { type Field, field } from "./HeaderField.ts"
import * as QuotedPrintable from "./QuotedPrintable.ts"

export interface Part {
  readonly fields: ReadonlyArray<Field>
  /** ASCII with CRLF line ends. No line is longer than 76 octets except the delimiters. */
  readonly body: string
}

const base64 = (bytes: Uint8Array): string => {
  const columns = 76
  const source = Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"), "latin1")
  const out = Buffer.allocUnsafe(source.length + Math.ceil(source.length / columns) * 2)
  let length = 0
  for (let at = 0; at < source.length; at += columns) {
    if (at > 0) {
      out[length++] = 0x0d
      out[length++] = 0x0a
    }
    length += source.copy(out, length, at, at + columns)
  }
  return out.toString("latin1", 0, length)
}

/** Quoted-printable, or base64 if that is shorter. Never 8bit or 7bit, so that any text is safe in transport. */
const textPart = (subtype: "plain" | "html", text: string): Part => {
  const isDense = QuotedPrintable.isLongerThanBase64(text)
  return {
    fields: [
      field("Content-Type", `text/${subtype}; charset=utf-8`),
      field("Content-Transfer-Encoding", isDense ? "base64" : "quoted-printable")
    ],
    body: isDense ? base64(Buffer.from(text.replace(/\r\n|\r|\n/g, "\r\n"))) : QuotedPrintable.encode(text)
  }
}

/**
 * The given type, with its parameters rewritten. A composite type cannot be encoded (RFC 2046 sections 5.1.1, 5.2.1)
 * and its bytes must not be changed, so an attached message is sent as a plain file.
 */
const attachmentType = (given: string): string => {
  const { value, params } = parseHeaderValue(given)
  if (/^(multipart|message)\//i.test(value)) return "application/octet-stream"
  return buildHeaderValue({ value, params: { ...params } })
}

const attachmentPart = (attachment: MessageAttachment): Part => ({
  fields: [
    field("Content-Type", attachmentType(attachment.contentType)),
    field("Content-Transfer-Encoding", "base64"),
    field(
      "Content-Disposition",
      buildHeaderValue({ value: attachment.disposition, params: { filename: attachment.filename } })
    ),
    ...(attachment.contentId === undefined ? [] : [field("Content-ID", `<${attachment.contentId}>`)])
  ],
  body: base64(attachment.content)
})

/**
 * `=_` never occurs in quoted-printable and `_` never in base64, so a boundary that begins with it cannot occur inside
 * a part. The id makes it the same for every copy of the message.
 */
const multipart =
  (emailId: string) =>
  (subtype: "mixed" | "related" | "alternative", parts: ReadonlyArray<Part>, parameters = ""): Part => {
    const boundary = `=_${subtype}_${emailId.replace(/[^A-Za-z0-9-]/g, "").slice(0, 50)}`
    const section = ({ fields, body }: Part) =>
      `--${boundary}\r\n${fields.map(({ wire }) => wire).join("")}\r\n${body}\r\n`
    return {
      fields: [field("Content-Type", `multipart/${subtype};${parameters} boundary="${boundary}"`)],
      body: `${parts.map(section).join("")}--${boundary}--\r\n`
    }
  }

/** Inline parts with a Content-ID are related to the HTML. Every other attachment is next to the text. */
export const tree = ({ attachments, emailId, html, text }: Message): Part => {
  const join = multipart(emailId)
  const isRelated = (attachment: MessageAttachment) =>
    html !== "" && attachment.disposition === "inline" && attachment.contentId !== undefined

  const texts = [...(text === "" ? [] : [textPart("plain", text)]), ...(html === "" ? [] : [textPart("html", html)])]
  const [first = textPart("plain", "")] = texts
  const content = texts.length > 1 ? join("alternative", texts) : first

  const related = attachments.filter(isRelated).map(attachmentPart)
  const rootType = texts.length > 1 ? "multipart/alternative" : "text/html"
  const page = related.length === 0 ? content : join("related", [content, ...related], ` type="${rootType}";`)

  const files = attachments.filter((attachment) => !isRelated(attachment)).map(attachmentPart)
  return files.length === 0 ? page : join("mixed", [page, ...files])
}
