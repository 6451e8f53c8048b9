/** A mail that came in, read as far as its reports and its words go. */
import { Data, Effect } from "effect"
import PostalMime, { type Address, type Email } from "postal-mime"

export interface Part {
  readonly type: string
  readonly filename: string | null
  readonly content: Uint8Array
}

export interface ReportedMail {
  /** Names in lower case, values unfolded, in order. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** In lower case, without parameters: `multipart/report`. */
  readonly type: string
  /** `report-type` of a report, in lower case. */
  readonly reportType: string | undefined
  readonly from: { readonly address: string; readonly name: string } | undefined
  /** Whom the header fields name as recipients, delivery fields among them. */
  readonly recipients: ReadonlyArray<string>
  readonly subject: string | null
  readonly date: string | null
  readonly messageId: string | null
  readonly text: string | null
  readonly html: string | null
  readonly parts: ReadonlyArray<Part>
}

/** Nothing can be made of it. */
export class UnreadableMail extends Data.TaggedError("UnreadableMail") {}

/** A report says all it has to say in its first parts; the mail it returns may be as large as any. */
const maxReportBytes = 256 * 1024
/** Each part costs time, and no honest mail has so many (reliability 2.8). */
const maxParts = 500
const maxNesting = 50

/** Up to the begin of the part that is one too many. */
const withoutFlood = (bytes: Uint8Array): Uint8Array => {
  let parts = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 45 && bytes[at + 2] === 45 && ++parts > maxParts) return bytes.subarray(0, at)
  }
  return bytes
}

const headOf = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes.subarray(0, 64 * 1024)).split(/\r?\n\r?\n/, 1)[0] ?? ""

const isReport = (bytes: Uint8Array): boolean => /^content-type:\s*multipart\/report\b/im.test(headOf(bytes))

const parse = (bytes: Uint8Array) =>
  Effect.tryPromise({
    try: () => PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: maxNesting }),
    catch: () => new UnreadableMail()
  })

const mailboxes = (addresses: ReadonlyArray<Address> = []): ReadonlyArray<string> =>
  addresses.flatMap((each) => (each.group ? each.group.map(({ address }) => address) : [each.address ?? ""]))

const deliveryFields = new Set(["delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-rcpt-to"])

const parameter = (value: string, name: string): string | undefined =>
  new RegExp(`;\\s*${name}\\s*=\\s*"?([^";\\s]+)`, "i").exec(value)?.[1]?.toLowerCase()

const partsOf = ({ attachments }: Email): ReadonlyArray<Part> =>
  attachments.map(({ mimeType, filename, content }) => ({
    type: mimeType,
    filename,
    content: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)
  }))

export const readMail = Effect.fn("ReportedMail.read")(function* (bytes: Uint8Array) {
  const limited = isReport(bytes) ? bytes.subarray(0, maxReportBytes) : bytes
  const mail = yield* parse(withoutFlood(limited))
  const headers = mail.headers.map(({ key, value }) => [key, value] as const)
  const contentType = headers.find(([name]) => name === "content-type")?.[1] ?? "text/plain"
  const from = mail.from?.address === undefined ? undefined : { address: mail.from.address, name: mail.from.name }
  return {
    headers,
    type: (contentType.split(";", 1)[0] ?? "").trim().toLowerCase(),
    reportType: parameter(contentType, "report-type"),
    from,
    recipients: [
      ...headers.flatMap(([name, value]) => (deliveryFields.has(name) ? [value.trim().replace(/^<|>$/g, "")] : [])),
      ...mailboxes(mail.to),
      ...mailboxes(mail.cc)
    ],
    subject: mail.subject ?? null,
    date: mail.date ?? null,
    messageId: mail.messageId ?? null,
    text: mail.text ?? null,
    html: mail.html ?? null,
    parts: partsOf(mail)
  } satisfies ReportedMail
})

export type Fields = ReadonlyMap<string, string>

/** Header fields of a text, unfolded; of a name that is there twice, the first. */
export const fieldsOf = (text: string): Fields => {
  const fields = new Map<string, string>()
  for (const line of text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined && !fields.has(name.toLowerCase())) {
      fields.set(name.toLowerCase(), value.trim())
    }
  }
  return fields
}

/** Blocks of header fields, separated by empty lines: the body of a report (RFC 3464 2.1, RFC 5965 3). */
export const blocksOf = (part: Part): ReadonlyArray<Fields> =>
  new TextDecoder()
    .decode(part.content)
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)
    .filter(({ size }) => size > 0)
