/**
 * A mail's HTML with its links led through the service, and the pixel at its end (contract 8.5).
 *
 * Made anew for each try from what is stored, and the same each time: the stored content stays as it was accepted.
 */
import { Context, Effect, Layer, Option } from "effect"
import { PublicLinks } from "../links/PublicLinks.ts"
import { htmlLinks } from "./HtmlLinks.ts"
import { maxLinks, type TrackedMail, TrackingLinks } from "./TrackingLinks.ts"

export class TrackedHtml extends Context.Service<
  TrackedHtml,
  { readonly rewrite: (mail: TrackedMail, html: string) => Effect.Effect<string> }
>()("@posthorn/core/tracking/TrackedHtml") {}

/** Of a tracked link; servers refuse longer ones. */
const maxUrl = 8_000

/** Room for the base and the token in front of the destination. */
const room = 500

const parse = Option.liftThrowable((href: string) => new URL(href))

/** Where a link of a mail leads; none for one that is followed without the service. */
const destinationOf = (href: string): Option.Option<string> =>
  Option.map(
    Option.filter(parse(href), ({ protocol }) => protocol === "https:" || protocol === "http:"),
    (url) => url.href
  )

/** Everything that `encodeURIComponent` leaves as it is may stand in double quotes. */
const attribute = (url: string) => `"${url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`

export const layer: Layer.Layer<TrackedHtml, never, PublicLinks | TrackingLinks> = Layer.effect(
  TrackedHtml,
  Effect.gen(function* () {
    const tracking = yield* TrackingLinks
    const { isOwn } = yield* PublicLinks

    const rewrite = Effect.fnUntraced(function* (mail: TrackedMail, html: string) {
      const { links, bodyEnd } = htmlLinks(html)
      const led = tracking.of(mail)
      const changes: Array<{ readonly start: number; readonly end: number; readonly text: string }> = []
      for (const { start, end, href } of links) {
        const destination = Option.getOrUndefined(destinationOf(href))
        if (destination === undefined || isOwn(destination) || changes.length === maxLinks) continue
        if (encodeURIComponent(destination).length > maxUrl - room) continue
        const url = yield* led.clickUrl(changes.length + 1, destination)
        changes.push({ start, end, text: attribute(url) })
      }
      const pixel = `<img src=${attribute(yield* led.pixelUrl)} width="1" height="1" alt="">`
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

    return TrackedHtml.of({ rewrite })
  })
)
