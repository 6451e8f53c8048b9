/** `GET /.well-known/security.txt` (RFC 9116): where to report a vulnerability, if the operator has set a contact. */
import { DateTime, Effect, type Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { routeNotFound } from "../platform/http/Respond.ts"
import { inContext } from "../platform/http/Routes.ts"
import { Settings } from "../platform/Settings.ts"

const path = "/.well-known/security.txt"
const longestContact = 500
const validDays = 365

/** One address without blanks. A line break or a second field does not match. */
const address = /^[^\s@<>,;:"()\\[\]]{1,64}@[^\s@<>,;:"()\\[\]]{1,253}$/
const telephone = /^tel:\+?[\d().-]{3,40}$/i
const visible = /^[\x21-\x7e]+$/

/** A contact as a `mailto:`, `https:` or `tel:` URI. An address becomes `mailto:`. Undefined for any other text. */
export const contactOf = (given: string): string | undefined => {
  const text = given.trim()
  if (text.length > longestContact || !visible.test(text)) return undefined
  if (address.test(text)) return `mailto:${text}`
  if (/^mailto:/i.test(text)) return address.test(text.slice("mailto:".length)) ? text : undefined
  if (telephone.test(text)) return text
  return /^https:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined
}

/** Valid for a year by the clock of the service, from the start of a day, so that it changes once a day. */
const textOf = (contacts: ReadonlyArray<string>, publicUrl: string, now: DateTime.Utc) => {
  const expires = DateTime.add(DateTime.removeTime(now), { days: validDays })
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${DateTime.formatIso(expires)}`,
    `Canonical: ${publicUrl}${path}`,
    ""
  ].join("\n")
}

/** Public. Without a contact the page does not exist. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const here = yield* inContext
    const { securityContacts, publicUrl } = yield* Settings
    const serve = Effect.gen(function* () {
      if (securityContacts.length === 0) return yield* routeNotFound
      const text = textOf(securityContacts, publicUrl, yield* DateTime.now)
      return HttpServerResponse.text(text, { contentType: "text/plain; charset=utf-8" })
    })
    yield* router.add("GET", path, here(serve))
  })
)
