/**
 * Replaces the links in the HTML of a mail by links of the service, and adds the pixel at the end.
 *
 * Each try does this from the stored content, with the same result. The stored content does not change.
 */
import { Effect } from "effect"
import { destinations } from "../../content/text/Destinations.ts"
import { longestInLine, type TextTooSlow, TextWork } from "../../content/text/TextWork.ts"
import { PublicLinks } from "../../platform/links/PublicLinks.ts"
import { maxTrackedLinks, type TrackedMail, TrackingLinks } from "./TrackingLinks.ts"

export interface TrackedHtml {
  readonly rewrite: (mail: TrackedMail, html: string, linkHost?: string | null) => Effect.Effect<string, TextTooSlow>
}

/** A quoted attribute value. */
const attribute = (url: string) => `"${url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`

export type Needs = PublicLinks | TrackingLinks

export const make: Effect.Effect<TrackedHtml, never, Needs> = Effect.gen(function* () {
  const tracking = yield* TrackingLinks
  const { isOwn } = yield* PublicLinks
  const work = yield* TextWork

  const rewrite = Effect.fnUntraced(function* (mail: TrackedMail, html: string, linkHost?: string | null) {
    const { links, bodyEnd } = html.length > longestInLine ? yield* work.run("links", html) : destinations(html)
    const mailLinks = tracking.of(mail, linkHost)
    const changes: Array<{ readonly start: number; readonly end: number; readonly text: string }> = []
    for (const { start, end, url: destination } of links) {
      if (changes.length === maxTrackedLinks) break
      if (isOwn(destination)) continue
      const url = yield* mailLinks.clickUrl(changes.length + 1, destination)
      changes.push({ start, end, text: attribute(url) })
    }
    const pixel = `<img src=${attribute(yield* mailLinks.pixelUrl)} width="1" height="1" alt="">`
    const at = changes.findLastIndex(({ end }) => end <= bodyEnd) + 1
    changes.splice(at, 0, { start: bodyEnd, end: bodyEnd, text: pixel })
    let written = ""
    let from = 0
    for (const { start, end, text } of changes) {
      written += html.slice(from, start) + text
      from = end
    }
    return written + html.slice(from)
  })

  return { rewrite }
})
