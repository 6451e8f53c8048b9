/** The link destinations in a document that can be tracked through the service. Pure. */
import { Option } from "effect"
import { htmlLinks } from "./HtmlLinks.ts"

/** The maximum length of a tracked link. Servers refuse longer ones. */
const maxUrl = 8_000

/** The length reserved for the base URL and the token before the destination. */
const room = 500

/**
 * The maximum number of characters between the scheme and the path. A host has at most 253, and parsing it takes
 * quadratic time.
 */
const maxHost = 300

export interface Destination {
  /** The position of the `href` value with its quotes. */
  readonly start: number
  readonly end: number
  readonly url: string
}

export interface Destinations {
  /** In document order. Links that are not tracked are left out. */
  readonly links: ReadonlyArray<Destination>
  /** Where content can be inserted at the end of the body. */
  readonly bodyEnd: number
}

const parse = Option.liftThrowable((href: string) => new URL(href))

const host = /^[^:]{1,20}:[\s/\\]*([^/\\?#]*)/

const destinationOf = (href: string): string | undefined => {
  if (href.length > maxUrl) return undefined
  const [, authority] = host.exec(href) ?? []
  if (authority === undefined || authority.length > maxHost) return undefined
  const url = Option.getOrUndefined(parse(href))
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined
  return encodeURIComponent(url.href).length > maxUrl - room ? undefined : url.href
}

export const destinations = (html: string): Destinations => {
  const { links, bodyEnd } = htmlLinks(html)
  return {
    links: links.flatMap(({ start, end, href }) => {
      const url = destinationOf(href)
      return url === undefined ? [] : [{ start, end, url }]
    }),
    bodyEnd
  }
}
