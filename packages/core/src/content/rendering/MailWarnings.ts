/** What mailbox providers and spam filters do not like about a mail. Pure, in one pass over its HTML. */

import type { RenderWarning } from "@posthorn/contract/content/templates/RenderedMail"

type WarningCode = RenderWarning["code"]

/** Mailbox providers hide what comes after this many bytes of HTML. */
export const clipAt = 102 * 1024

export interface CheckedMail {
  readonly subject: string
  readonly html: string | null
  readonly text: string
}

const maxSubject = 150
/** Fewer characters beside an image are no text. */
const minText = 20
const minLetters = 10

const unsupported = new Set(["script", "form", "iframe", "object", "embed", "video", "audio"])

/** The warnings about the subject and the markup. */
export const mailWarnings = ({ subject, html, text }: CheckedMail): ReadonlyArray<RenderWarning> => {
  const found = new Found()
  if ([...subject].length > maxSubject) found.add("subject_long", subject)
  if (isShouting(subject)) found.add("shouting_subject", subject)
  if (html !== null) markup(html, text, found)
  return found.list
}

/** A warning that another check has found. */
export const oneWarning = (code: WarningCode): RenderWarning => ({
  code,
  message: sentences[code](1),
  count: 1,
  example: null
})

class Found {
  private readonly counts = new Map<WarningCode, { count: number; readonly example: string }>()

  add(code: WarningCode, example: string): void {
    const known = this.counts.get(code)
    if (known === undefined) this.counts.set(code, { count: 1, example: example.slice(0, 100) })
    else known.count++
  }

  get list(): ReadonlyArray<RenderWarning> {
    return [...this.counts].map(([code, { count, example }]) => ({
      code,
      message: sentences[code](count),
      count,
      example
    }))
  }
}

const are = (count: number, one: string, many: string) => (count === 1 ? one : `${count} ${many}`)

const sentences: { readonly [code in WarningCode]: (count: number) => string } = {
  clipped: () => `The HTML is larger than ${clipAt} bytes, so mailbox providers clip it.`,
  subject_long: () => `The subject has more than ${maxSubject} characters.`,
  missing_alt: (count) => `${are(count, "An image has", "images have")} no alt text.`,
  image_only: () => "The mail has images and almost no text.",
  insecure_link: (count) => `${are(count, "A link leads", "links lead")} to http, without encryption.`,
  insecure_image: (count) => `${are(count, "An image comes", "images come")} from http, without encryption.`,
  local_link: (count) => `${are(count, "An address is", "addresses are")} of a local or private host.`,
  empty_link: (count) => `${are(count, "A link has", "links have")} no destination.`,
  unsupported_tag: (count) => `${are(count, "An element is", "elements are")} removed by mail clients.`,
  no_unsubscribe_link: () => "The mail has no link to unsubscribe: use {{unsubscribeUrl}} or {{manageUrl}}.",
  shouting_subject: () => "The subject shouts: capital letters, or several ! or $ in a row."
}

/** Over half of at least 10 letters in upper case, or two `!` or `$` in a row. */
const isShouting = (subject: string): boolean => {
  if (/!!|\$\$/.test(subject)) return true
  const letters = subject.match(/\p{L}/gu) ?? []
  const upper = subject.match(/\p{Lu}/gu) ?? []
  return letters.length >= minLetters && upper.length * 2 > letters.length
}

const tagStart = /<([a-z][^\t\n\f\r />]*)/iy

const markup = (html: string, text: string, found: Found): void => {
  let images = 0
  for (let at = html.indexOf("<"); at !== -1; ) {
    if (html.startsWith("<!--", at)) {
      const end = html.indexOf("-->", at + 4)
      at = end === -1 ? -1 : html.indexOf("<", end)
      continue
    }
    tagStart.lastIndex = at
    const name = tagStart.exec(html)?.[1]?.toLowerCase()
    if (name === undefined) {
      at = html.indexOf("<", at + 1)
      continue
    }
    const tag = readTag(html, at + name.length + 1)
    if (tag === undefined) break
    const written = html.slice(at, Math.min(tag.end, at + 100))
    if (unsupported.has(name)) found.add("unsupported_tag", written)
    if (name === "img") {
      images++
      if (!tag.attributes.has("alt")) found.add("missing_alt", written)
      checkAddress(tag.attributes.get("src"), "insecure_image", found)
    }
    if (name === "a" || name === "area") {
      const href = tag.attributes.get("href")?.trim()
      if (href === "" || href === "#") found.add("empty_link", written)
      checkAddress(href, "insecure_link", found)
    }
    at = html.indexOf("<", tag.end)
  }
  if (images > 0 && text.replace(/https?:\S+|\s+/g, "").length < minText) found.add("image_only", "")
}

const checkAddress = (given: string | undefined, insecure: "insecure_image" | "insecure_link", found: Found): void => {
  const address = given?.trim().slice(0, 300) ?? ""
  const host = /^https?:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(address)?.[1]?.toLowerCase()
  if (host === undefined) return
  if (isLocal(host)) found.add("local_link", address)
  else if (/^http:/i.test(address)) found.add(insecure, address)
}

/** Loopback, private and link-local addresses (RFC 1918, 3927, 4193), and names that resolve only locally. */
const isLocal = (host: string): boolean =>
  host === "localhost" ||
  /\.(?:localhost|local|test)$/.test(host) ||
  /^(?:127|10)\.\d|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^0\.0\.0\.0$/.test(host) ||
  /^\[(?:::1|::|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/.test(host)

interface TagRead {
  readonly attributes: ReadonlyMap<string, string>
  /** The index after the `>`. */
  readonly end: number
}

/** Undefined if the tag is not closed. The first attribute of a name counts. */
const readTag = (html: string, from: number): TagRead | undefined => {
  const attributes = new Map<string, string>()
  let at = from
  for (;;) {
    while (at < html.length && "\t\n\f\r /".includes(html[at] ?? "")) at++
    if (at >= html.length) return undefined
    if (html[at] === ">") return { attributes, end: at + 1 }
    const next = readAttribute(html, at)
    if (next === undefined) return undefined
    if (!attributes.has(next.name)) attributes.set(next.name, next.value)
    at = next.end
  }
}

interface AttributeRead {
  readonly name: string
  readonly value: string
  readonly end: number
}

const readAttribute = (html: string, from: number): AttributeRead | undefined => {
  const isBlank = (at: number) => "\t\n\f\r ".includes(html[at] ?? "x")
  let at = from + 1
  while (at < html.length && !isBlank(at) && !"/>=".includes(html[at] ?? "")) at++
  const name = html.slice(from, Math.min(at, from + 20)).toLowerCase()
  while (isBlank(at)) at++
  if (html[at] !== "=") return { name, value: "", end: at }
  at++
  while (isBlank(at)) at++
  const quote = html[at]
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1)
    return end === -1 ? undefined : { name, value: html.slice(at + 1, end), end: end + 1 }
  }
  const start = at
  while (at < html.length && !isBlank(at) && html[at] !== ">") at++
  return { name, value: html.slice(start, at), end: at }
}
