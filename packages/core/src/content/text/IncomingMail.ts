/** Reads the reports and the text of an incoming mail. Pure. */
import PostalMime, { type Address, type Email } from "postal-mime"
import { capped, unbracketed } from "./FieldText.ts"

export interface IncomingPart {
  readonly type: string
  readonly filename: string | null
  readonly content: Uint8Array
}

export interface IncomingMail {
  /** Names in lower case, values unfolded, in order. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** In lower case and without parameters: `multipart/report`. */
  readonly type: string
  /** The `report-type` of a report, in lower case. */
  readonly reportType: string | undefined
  readonly from: { readonly address: string; readonly name: string } | undefined
  /** The recipients in the header fields, including the delivery fields. */
  readonly recipients: ReadonlyArray<string>
  readonly subject: string | null
  readonly date: string | null
  readonly messageId: string | null
  readonly text: string | null
  readonly html: string | null
  readonly parts: ReadonlyArray<IncomingPart>
}

/** A report has its data in its first parts. The returned mail in it may have any size. */
const maxReportBytes = 256 * 1024
const maxReportLines = 4_000
/** The maximum number of parts. Each part costs time, and legitimate mail has fewer. */
const maxParts = 500
const maxNesting = 50

/** The bytes up to the start of the part that exceeds the limit. */
const withoutFlood = (bytes: Uint8Array): Uint8Array => {
  let parts = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 45 && bytes[at + 2] === 45 && ++parts > maxParts) return bytes.subarray(0, at)
  }
  return bytes
}

const maxHeadBytes = 256 * 1024
/**
 * The maximum size of a field with its continuation lines. A list of recipients is the longest field of legitimate
 * mail.
 */
const maxFieldBytes = 4 * 1024

const lineEnd = (bytes: Uint8Array, from: number): number => {
  const at = bytes.indexOf(10, from)
  return at < 0 ? bytes.length : at + 1
}

const isEmptyLine = (bytes: Uint8Array, from: number, end: number): boolean =>
  end - from === 1 || (end - from === 2 && bytes[from] === 13)

/**
 * Shortens long header fields and drops those that do not fit, because address parsers take quadratic time on some
 * texts.
 */
const withShortHead = (bytes: Uint8Array): Uint8Array => {
  const kept: Array<Uint8Array> = []
  let size = 0
  let field = 0
  let from = 0
  for (let end = lineEnd(bytes, 0); from < bytes.length; from = end, end = lineEnd(bytes, from)) {
    if (isEmptyLine(bytes, from, end)) break
    const isContinuation = bytes[from] === 32 || bytes[from] === 9
    if (!isContinuation) field = 0
    const room = Math.min(maxFieldBytes - field, maxHeadBytes - size)
    const line = bytes.subarray(from, end)
    field += line.length
    const part = line.length <= room ? line : new Uint8Array([...line.subarray(0, Math.max(0, room - 2)), 13, 10])
    if (room > 2) {
      kept.push(part)
      size += part.length
    }
  }
  const rest = bytes.subarray(from)
  const whole = new Uint8Array(size + rest.length)
  let at = 0
  for (const part of [...kept, rest]) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const headOf = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes.subarray(0, 64 * 1024)).split(/\r?\n\r?\n/, 1)[0] ?? ""

const isReport = (bytes: Uint8Array): boolean => /^content-type:\s*multipart\/report\b/im.test(headOf(bytes))

const mailboxes = (addresses: ReadonlyArray<Address> = []): ReadonlyArray<string> =>
  addresses.flatMap((each) => (each.group ? each.group.map(({ address }) => address) : [each.address ?? ""]))

const deliveryFields = new Set(["delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-rcpt-to"])

const parameter = (value: string, name: string): string | undefined =>
  new RegExp(`;\\s*${name}\\s*=\\s*"?([^";\\s]+)`, "i").exec(value)?.[1]?.toLowerCase()

const partsOf = ({ attachments }: Email): ReadonlyArray<IncomingPart> =>
  attachments.map(({ mimeType, filename, content }) => ({
    type: mimeType,
    filename,
    content: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)
  }))

const parse = (bytes: Uint8Array): Promise<Email | undefined> =>
  PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: maxNesting }).catch(() => undefined)

/** The bytes up to the end of that many lines. The parser's time grows with the square of their number. */
const firstLines = (bytes: Uint8Array, count: number): Uint8Array => {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (++lines === count) return bytes.subarray(0, at + 1)
  }
  return bytes
}

/** Only the start of a report is read. */
export const partToRead = (bytes: Uint8Array): Uint8Array =>
  isReport(bytes) ? firstLines(bytes.subarray(0, maxReportBytes), maxReportLines) : bytes

/** Undefined if the mail cannot be parsed. */
export const readIncomingMail = async (bytes: Uint8Array): Promise<IncomingMail | undefined> => {
  const limited = partToRead(bytes)
  const mail = await parse(withShortHead(withoutFlood(limited)))
  if (mail === undefined) return undefined
  const headers = mail.headers.map(({ key, value }) => [key, value] as const)
  const contentType = capped(headers.find(([name]) => name === "content-type")?.[1] ?? "text/plain")
  const from = mail.from?.address === undefined ? undefined : { address: mail.from.address, name: mail.from.name }
  return {
    headers,
    type: (contentType.split(";", 1)[0] ?? "").trim().toLowerCase(),
    reportType: parameter(contentType, "report-type"),
    from,
    recipients: [
      ...headers.flatMap(([name, value]) => (deliveryFields.has(name) ? [unbracketed(capped(value))] : [])),
      ...mailboxes(mail.to),
      ...mailboxes(mail.cc)
    ],
    subject: mail.subject ?? null,
    date: mail.date ?? null,
    messageId: mail.messageId ?? null,
    text: mail.text ?? null,
    html: mail.html ?? null,
    parts: partsOf(mail)
  }
}
