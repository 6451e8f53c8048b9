/**
 * Takes a message apart that a client hands over to be sent (RFC 5322, RFC 2045): addresses, texts and files. Pure.
 *
 * The tree of the message is read instead of the summary that the parser makes of it: the summary joins all text parts,
 * and has no parameters of media types.
 */
import PostalMime, { addressParser, decodeWords } from "postal-mime"

export interface SubmittedAddress {
  readonly email: string
  readonly name: string | null
}

export interface SubmittedFile {
  readonly filename: string
  /** The media type with its parameters. */
  readonly contentType: string
  readonly disposition: "attachment" | "inline"
  /** Without angle brackets. Inline files have one. */
  readonly contentId: string | null
  readonly content: Uint8Array
}

export interface SubmittedMail {
  /** Fields of the message with their values as written, unfolded, in order. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** Fields `X-Posthorn-*`, with the rest of the name in lower case, and their values decoded (RFC 2047). */
  readonly controls: ReadonlyArray<readonly [name: string, value: string]>
  readonly from: ReadonlyArray<SubmittedAddress>
  readonly to: ReadonlyArray<SubmittedAddress>
  readonly cc: ReadonlyArray<SubmittedAddress>
  readonly replyTo: ReadonlyArray<SubmittedAddress>
  /** Empty if there is none. */
  readonly subject: string
  /** Without angle brackets. Null unless there is one well-formed id. */
  readonly messageId: string | null
  /** The first part of plain text, and the first of HTML. */
  readonly text: string | null
  readonly html: string | null
  readonly files: ReadonlyArray<SubmittedFile>
}

/** A fault of the message, with the enhanced status code of the reply (RFC 3463). */
export interface SubmissionFault {
  readonly status: "5.6.0" | "5.6.1"
  readonly message: string
}

export type ReadSubmission =
  | { readonly ok: true; readonly value: SubmittedMail }
  | { readonly ok: false; readonly fault: SubmissionFault }

const controlPrefix = "x-posthorn-"
const maxParts = 200
const maxNesting = 20
const maxHeadBytes = 256 * 1024

/** A node of the parser's tree. The parser does not declare it. */
interface Node {
  readonly childNodes: ReadonlyArray<Node>
  readonly contentType: {
    readonly multipart: string | false
    readonly parsed: { readonly value: string; readonly params: Readonly<Record<string, string>> }
  }
  readonly contentDisposition: {
    readonly parsed: { readonly value: string; readonly params: Readonly<Record<string, string>> }
  }
  readonly contentTransferEncoding: { readonly encoding: string }
  readonly contentId?: string | undefined
  readonly headers: ReadonlyArray<{ readonly key: string; readonly originalKey: string; readonly value: string }>
  readonly content: ArrayBuffer | null
  readonly getTextContent: () => string
}

const fault = (message: string, status: SubmissionFault["status"] = "5.6.0") =>
  ({ ok: false, fault: { status, message } }) as const

/** Taking them apart would break what they are for: a signature, an encryption, a report (RFC 1847, RFC 6522). */
const whole = new Set(["signed", "encrypted", "report"])

/** All nodes, or undefined if there are too many. */
const nodesOf = (root: Node): ReadonlyArray<Node> | undefined => {
  const found: Array<Node> = [root]
  for (let at = 0; at < found.length; at++) {
    const { childNodes = [] } = found[at] ?? {}
    if (found.length + childNodes.length > maxParts) return undefined
    // In the order of the message: children stand before the siblings of their parent.
    found.splice(at + 1, 0, ...childNodes)
  }
  return found
}

/** Without what the database cannot hold, and without the line end that the transmission needs after the last line. */
const storable = (text: string) => text.replaceAll("\0", "").replace(/\r?\n$/, "")

const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, " ").trim()

const addresses = (root: Node, name: string): ReadonlyArray<SubmittedAddress> =>
  root.headers
    .filter(({ key }) => key === name)
    .flatMap(({ value }) => addressParser(value, { flatten: true }))
    .flatMap(({ address, name }) => (address ? [{ email: address, name: oneLine(name) || null }] : []))

const firstValue = (root: Node, name: string) => root.headers.find(({ key }) => key === name)?.value

/** RFC 5322 section 3.6.4, in the form that any server takes. */
const wellFormedId = /^<([^\s<>@]{1,249}@[^\s<>@]{1,249})>$/
const longestId = 250

const messageIdOf = (root: Node): string | null => {
  const given = root.headers.filter(({ key }) => key === "message-id")
  const id = given.length === 1 ? wellFormedId.exec(given[0]?.value ?? "")?.[1] : undefined
  return id !== undefined && id.length <= longestId && /^[!-~]+$/.test(id) ? id : null
}

const isText = ({ contentType, contentDisposition }: Node, type: string) =>
  contentType.parsed.value === type && contentDisposition.parsed.value !== "attachment"

const token = /^[\w!#$&^.+-]+$/
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/
const longestType = 255

/** The file name has its own field. A boundary belongs to the structure of the message. */
const unused = new Set(["name", "boundary"])

const typeOf = ({ contentType: { parsed } }: Node): string => {
  const value = mediaType.test(parsed.value) ? parsed.value : "application/octet-stream"
  return Object.entries(parsed.params).reduce((type, [name, text]) => {
    const isUsable = token.test(name) && !unused.has(name) && /^[ !#-[\]-~]*$/.test(text)
    const longer = `${type}; ${name}=${token.test(text) ? text : `"${text}"`}`
    return isUsable && longer.length <= longestType ? longer : type
  }, value)
}

const extensions: Readonly<Record<string, string>> = {
  "application/ics": "ics",
  "application/json": "json",
  "application/pdf": "pdf",
  "image/gif": "gif",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/svg+xml": "svg",
  "image/webp": "webp",
  "message/rfc822": "eml",
  "text/calendar": "ics",
  "text/csv": "csv",
  "text/html": "html",
  "text/plain": "txt"
}

const longestName = 255

/** The given name without what no file name can hold; a part without one is named by its place and type. */
const nameOf = ({ contentType, contentDisposition }: Node, place: number): string => {
  const { filename } = contentDisposition.parsed.params
  const given = filename || contentType.parsed.params["name"] || ""
  const name = [
    ...decodeWords(given)
      .replace(/[\p{Cc}"/\\]+/gu, "_")
      .trim()
  ]
    .slice(0, longestName)
    .join("")
  return name || `part-${place}.${extensions[contentType.parsed.value] ?? "bin"}`
}

/** Text has CRLF line ends in its canonical form (RFC 2046 section 4.1.1). The parser has replaced those in plain parts. */
const bytesOf = ({ content, contentTransferEncoding, contentType }: Node): Uint8Array => {
  const bytes = new Uint8Array(content ?? new ArrayBuffer(0))
  if (contentTransferEncoding.encoding === "base64" || !/^(?:text|message)\//.test(contentType.parsed.value)) {
    return bytes
  }
  const lines = bytes.reduce((count, byte, at) => (byte === 10 && bytes[at - 1] !== 13 ? count + 1 : count), 0)
  const whole = new Uint8Array(bytes.length + lines)
  let to = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 10 && bytes[at - 1] !== 13) whole[to++] = 13
    whole[to++] = bytes[at] ?? 0
  }
  return whole
}

const usableContentId = /^[!-;=?-~]{1,255}$/

/** The content id of a part that the HTML shows, by an address such as `cid:logo@example.com` (RFC 2392). */
const shownId = ({ contentId = "" }: Node, html: string | null): string | null => {
  const id = contentId.trim().replace(/^<(.*)>$/, "$1")
  if (html === null || !usableContentId.test(id)) return null
  return html.includes(`cid:${id}`) || html.includes(`cid:${encodeURIComponent(id)}`) ? id : null
}

const taken = (root: Node): ReadSubmission => {
  const nodes = nodesOf(root)
  if (nodes === undefined) return fault(`The message has more than ${maxParts} parts`)
  const signed = nodes.find(({ contentType }) => contentType.multipart && whole.has(contentType.multipart))
  if (signed !== undefined) {
    return fault(`A message of type ${signed.contentType.parsed.value} cannot be sent on without breaking it`, "5.6.1")
  }
  const leaves = nodes.filter(({ contentType }) => !contentType.multipart)
  const plain = leaves.find((node) => isText(node, "text/plain"))
  const page = leaves.find((node) => isText(node, "text/html"))
  const html = page === undefined ? null : storable(page.getTextContent())
  const shown = new Set<string>()
  const files = leaves
    .filter((node) => node !== plain && node !== page)
    .map((node, place): SubmittedFile => {
      const id = shownId(node, html)
      const isFirst = id !== null && !shown.has(id)
      if (isFirst) shown.add(id)
      return {
        filename: nameOf(node, place + 1),
        contentType: typeOf(node),
        disposition: isFirst ? "inline" : "attachment",
        contentId: isFirst ? id : null,
        content: bytesOf(node)
      }
    })
  return {
    ok: true,
    value: {
      headers: root.headers.map(({ originalKey, value }) => [originalKey, value] as const),
      controls: root.headers.flatMap(({ key, value }) =>
        key.startsWith(controlPrefix) ? [[key.slice(controlPrefix.length), decodeWords(value)] as const] : []
      ),
      from: addresses(root, "from"),
      to: addresses(root, "to"),
      cc: addresses(root, "cc"),
      replyTo: addresses(root, "reply-to"),
      subject: oneLine(decodeWords(firstValue(root, "subject") ?? "")),
      messageId: messageIdOf(root),
      text: plain === undefined ? null : storable(plain.getTextContent()),
      html,
      files
    }
  }
}

/** Sentences for the limits that the parser enforces. */
const parserFault = (error: unknown) => {
  const message = error instanceof Error ? error.message : ""
  if (message.includes("nesting depth")) return fault(`The parts are nested more than ${maxNesting} deep`)
  if (message.includes("header size")) return fault(`The header has more than ${maxHeadBytes / 1024} KB`)
  return fault("The message cannot be read")
}

export const readSubmission = async (bytes: Uint8Array): Promise<ReadSubmission> => {
  const parser = new PostalMime({
    forceRfc822Attachments: true,
    maxNestingDepth: maxNesting,
    maxHeadersSize: maxHeadBytes
  })
  try {
    await parser.parse(bytes)
    return taken((parser as unknown as { readonly root: Node }).root)
  } catch (error) {
    return parserFault(error)
  }
}
