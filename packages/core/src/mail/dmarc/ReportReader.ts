/**
 * Unpacks and reads a DMARC aggregate report (RFC 9990). The sender is unknown, so everything has a limit: the report is
 * unpacked in small pieces, and reading ends at the first piece that exceeds one.
 */
import { Data, DateTime, Effect, Option, Result } from "effect"
import { NetAddress } from "effect/net"
import { Gunzip, Unzip, UnzipInflate } from "fflate"
import { SaxesParser } from "saxes"

/** The report is broken, or exceeds a limit. */
export class BadReport extends Data.TaggedError("BadReport")<{ readonly why: string }> {}

export type Disposition = "none" | "quarantine" | "reject"

/** The records with one source, From domain and result, added up. */
export interface ReportedMails {
  readonly source: string
  readonly from: string
  readonly disposition: Disposition
  readonly dkim: boolean
  readonly spf: boolean
  messages: number
  /** Our signature was valid on some of them. */
  own: boolean
}

export interface AggregateReport {
  readonly org: string
  readonly id: string
  readonly begin: DateTime.Utc
  /** The domain whose policy was applied, in lower case. */
  readonly domain: string
  readonly policy: Disposition
  readonly rows: ReadonlyArray<ReportedMails>
}

/** The signature that proves that we sent a mail. */
export interface OwnSignature {
  readonly domain: string
  readonly selectors: ReadonlyArray<string>
}

const megabyte = 1024 * 1024
export const limits = {
  unpacked: 20 * megabyte,
  records: 100_000,
  depth: 20,
  value: 1_000,
  /** Characters without an element, a text or another part of the document. */
  part: 64 * 1024
}
const piece = 1024
/** The event loop gets a turn after so many octets. */
const turn = 256 * 1024

const bad = (why: string) => new BadReport({ why })

/** `gzip`, `zip` or `xml`, by the first bytes. Undefined for anything else. */
export const formOf = (bytes: Uint8Array): "gzip" | "xml" | "zip" | undefined => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip"
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4) return "zip"
  const head = new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, 200))
  return /^\s*<(?:\?xml\s|(?:\w+:)?feedback[\s>])/.test(head) ? "xml" : undefined
}

/** By the byte order mark, or the declaration. */
const encodingOf = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200))
  const declared = /^\s*<\?xml[^>?]*encoding=["']([\w-]{1,40})["']/.exec(head)?.[1]?.toLowerCase()
  return declared !== undefined && /^(?:us-ascii|iso-8859-\d+|windows-125\d|latin1)$/.test(declared)
    ? declared
    : "utf-8"
}

/** Takes the octets of the XML document. */
type Sink = (chunk: Uint8Array) => void

/** Takes the packed octets. Throws a `BadReport`, or an error of the library. */
const unpacker = (form: "gzip" | "xml" | "zip", sink: Sink): ((chunk: Uint8Array, isLast: boolean) => void) => {
  if (form === "xml") return sink
  if (form === "gzip") {
    const gunzip = new Gunzip((chunk) => sink(chunk))
    return (chunk, isLast) => gunzip.push(chunk, isLast)
  }
  let files = 0
  let ended = false
  const unzip = new Unzip((file) => {
    if (++files > 1) throw bad("The zip archive has several files.")
    file.ondata = (error, chunk, final) => {
      if (error) throw error
      sink(chunk)
      ended ||= final
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  return (chunk, isLast) => {
    unzip.push(chunk, isLast)
    if (isLast && !ended) throw bad("The zip archive is not complete.")
  }
}

const dispositionOf = (text: string | undefined): Disposition => {
  const known = text?.toLowerCase()
  return known === "quarantine" || known === "reject" ? known : "none"
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1)

/** The canonical form of an IP address. */
const addressOf = (text: string): string => {
  const found = Option.getOrUndefined(Result.getSuccess(NetAddress.ipFromString(text)))
  if (found === undefined) throw bad("A source is no IP address.")
  return NetAddress.formatIp(found)
}

const wholeNumber = (text: string | undefined, most: number): number => {
  const number = text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= 1 && number <= most)) throw bad("A number is missing or no positive integer.")
  return number
}

const maxCount = 1e11
const maxSeconds = 253_402_300_799
/** The characters of a domain name. */
const maxName = 253

/** Reads the document as its text comes. */
const reader = (own: OwnSignature) => {
  const rows = new Map<string, ReportedMails>()
  const head = new Map<string, string>()
  const names: Array<string> = []
  let record = new Map<string, string>()
  let signature = new Map<string, string>()
  let text = ""
  let isOwn = false
  let records = 0
  let isFeedback = false
  /** Characters since the last event of the parser. */
  let quiet = 0

  const endRecord = () => {
    if (++records > limits.records) throw bad("The report has too many records.")
    const source = addressOf(record.get("source_ip") ?? "")
    const messages = wholeNumber(record.get("count"), maxCount)
    const from = (record.get("header_from") ?? head.get("policy_published/domain") ?? "")
      .toLowerCase()
      .slice(0, maxName)
    const disposition = dispositionOf(record.get("disposition"))
    const dkim = record.get("dkim")?.toLowerCase() === "pass"
    const spf = record.get("spf")?.toLowerCase() === "pass"
    const key = `${source} ${from} ${disposition} ${dkim} ${spf}`
    const row = rows.get(key)
    if (row === undefined) rows.set(key, { source, from, disposition, dkim, spf, messages, own: isOwn })
    else {
      row.messages += messages
      row.own ||= isOwn
    }
  }

  const endSignature = () => {
    isOwn ||=
      signature.get("result")?.toLowerCase() === "pass" &&
      signature.get("domain")?.toLowerCase() === own.domain &&
      own.selectors.includes(signature.get("selector")?.toLowerCase() ?? "")
  }

  const begin = (name: string) => {
    if (names.length === 0) isFeedback = name === "feedback"
    names.push(name)
    if (names.length > limits.depth) throw bad("The report is nested too deeply.")
    text = ""
    if (name === "record") {
      record = new Map()
      isOwn = false
    } else if (name === "dkim") signature = new Map()
  }

  const end = () => {
    const name = names.pop() ?? ""
    const parent = names.at(-1)
    const value = text.trim()
    text = ""
    switch (parent) {
      case "feedback":
        if (name === "record") endRecord()
        break
      case "report_metadata":
      case "date_range":
      case "policy_published":
        head.set(`${parent}/${name}`, value)
        break
      case "row":
      case "policy_evaluated":
      case "identifiers":
        record.set(name, value)
        break
      case "auth_results":
        if (name === "dkim") endSignature()
        break
      case "dkim":
        signature.set(name, value)
        break
    }
  }

  const addText = (part: string) => {
    quiet = 0
    text += part
    if (text.length > limits.value && text.trim().length > limits.value) throw bad("A value is too long.")
  }

  const parser = new SaxesParser({ position: false })
  parser.on("error", () => {
    throw bad("The report is no well-formed XML.")
  })
  parser.on("doctype", () => {
    throw bad("The report has a document type.")
  })
  parser.on("opentag", ({ attributes, name }) => {
    quiet = 0
    for (const value of Object.values(attributes)) if (value.length > limits.value) throw bad("A value is too long.")
    begin(localName(name))
  })
  parser.on("closetag", () => {
    quiet = 0
    end()
  })
  parser.on("text", addText)
  parser.on("cdata", addText)

  return {
    write: (part: string) => {
      for (let at = 0; at < part.length; at += limits.part) {
        const next = part.slice(at, at + limits.part)
        quiet += next.length
        parser.write(next)
        if (quiet > limits.part) throw bad("A part of the report is too long.")
      }
    },
    close: (): AggregateReport => {
      parser.close()
      const id = head.get("report_metadata/report_id")
      const org = head.get("report_metadata/org_name")
      const domain = head.get("policy_published/domain")
      if (!isFeedback || !id || !org || !domain || records === 0) throw bad("The report is not complete.")
      const seconds = wholeNumber(head.get("date_range/begin"), maxSeconds)
      return {
        org,
        id,
        begin: DateTime.makeUnsafe(seconds * 1_000),
        domain: domain.toLowerCase().replace(/\.$/, ""),
        policy: dispositionOf(head.get("policy_published/p")),
        rows: [...rows.values()]
      }
    }
  }
}

/** Reads a report in one of its three forms. */
export const readReport = Effect.fn("ReportReader.readReport")(function* (
  packed: Uint8Array,
  own: OwnSignature
): Effect.fn.Return<AggregateReport, BadReport> {
  const form = formOf(packed)
  if (form === undefined) return yield* bad("The mail has no report.")
  const document = reader(own)
  let unpacked = 0
  let sinceTurn = 0
  let decoder: TextDecoder | undefined
  const push = unpacker(form, (chunk) => {
    unpacked += chunk.length
    sinceTurn += chunk.length
    if (unpacked > limits.unpacked) throw bad("The report is too large.")
    if (chunk.length === 0) return
    decoder ??= new TextDecoder(encodingOf(chunk))
    document.write(decoder.decode(chunk, { stream: true }))
  })
  const step = (from: number) =>
    Effect.try({
      try: () => push(packed.subarray(from, from + piece), from + piece >= packed.length),
      catch: (error) => (error instanceof BadReport ? error : bad("The report cannot be unpacked."))
    })
  for (let at = 0; at < packed.length; at += piece) {
    yield* step(at)
    if (sinceTurn < turn) continue
    sinceTurn = 0
    yield* Effect.yieldNow
  }
  return yield* Effect.try({
    try: () => {
      document.write(decoder?.decode() ?? "")
      return document.close()
    },
    catch: (error) => (error instanceof BadReport ? error : bad("The report is no well-formed XML."))
  })
})
