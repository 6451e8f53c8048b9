/** What a submitted form of the public pages wants. Pure. */
import { PrivacyRequestType } from "@posthorn/contract/audience/privacy/PrivacyRequest"
import { DateTime, Option, Schema } from "effect"
import type { Purpose } from "../../platform/links/PublicLinks.ts"
import { languageOf, languages } from "../../platform/web/Languages.ts"
import type { FormValues } from "../../platform/web/PageRequest.ts"
import type { PageState, Wish } from "./Pages.ts"

/** The faulty field of a form. */
export type PageFault = "locale" | "snooze" | "until"

export type Read =
  /** Not a request of this page: it is shown again. */
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Faulty"; readonly field: PageFault }
  | { readonly _tag: "Wish"; readonly wish: Wish }

const nothing: Read = { _tag: "Nothing" }
const wishing = (wish: Wish): Read => ({ _tag: "Wish", wish })
const faulty = (field: PageFault): Read => ({ _tag: "Faulty", field })

/** The pauses that the page offers, in days. */
export const snoozeDays = [30, 60, 90] as const
export const maxSnoozeDays = 366

const last = (values: FormValues, name: string) => values.get(name)?.at(-1)?.trim()

const dayForm = /^\d{4}-\d{2}-\d{2}$/

/** The start of a day in a time zone. */
const startOfDay = (day: string, zone: string): Option.Option<DateTime.Utc> => {
  if (!dayForm.test(day)) return Option.none()
  const timeZone = Option.getOrElse(DateTime.zoneFromString(zone), () => DateTime.zoneMakeOffset(0))
  return DateTime.makeZoned(`${day}T00:00:00`, { timeZone, adjustForTimeZone: true }).pipe(
    Option.filter((start) => DateTime.formatIsoDate(start) === day),
    Option.map(DateTime.toUtc)
  )
}

/** The last day that a pause may end on, and the first, as the recipient reads them. */
export const snoozeRange = ({ timezone }: PageState, now: DateTime.Utc) => {
  const zone = Option.getOrElse(DateTime.zoneFromString(timezone), () => DateTime.zoneMakeOffset(0))
  const dayAt = (days: number) => DateTime.formatIsoDate(DateTime.setZone(DateTime.add(now, { days }), zone))
  return { first: dayAt(1), last: dayAt(maxSnoozeDays - 1) }
}

const snoozeOf = (
  values: FormValues,
  state: PageState,
  now: DateTime.Utc
): DateTime.Utc | PageFault | null | undefined => {
  const given = last(values, "snooze")
  if (!given || !state.settings.pages.snooze) return undefined
  if (given === "off") return null
  const days = snoozeDays.find((days) => String(days) === given)
  if (days !== undefined) return DateTime.add(now, { days })
  if (given !== "until") return "snooze"
  const until = Option.getOrUndefined(startOfDay(last(values, "until") ?? "", state.timezone))
  const latest = DateTime.add(now, { days: maxSnoozeDays })
  const isPossible = until !== undefined && DateTime.isGreaterThan(until, now) && !DateTime.isGreaterThan(until, latest)
  return isPossible ? until : "until"
}

/** Absent if the recipient reads that language already. */
const localeOf = (values: FormValues, { locale, language, settings }: PageState): string | undefined => {
  const given = last(values, "locale")
  if (!given || !settings.pages.language) return undefined
  return given === languageOf(locale, language) ? undefined : given
}

const saved = (values: FormValues, state: PageState, now: DateTime.Utc): Read => {
  const locale = localeOf(values, state)
  if (locale !== undefined && !languages.some((language) => language === locale)) return faulty("locale")
  const snoozedUntil = snoozeOf(values, state, now)
  if (typeof snoozedUntil === "string") return faulty(snoozedUntil)
  const shown = new Set(values.get("shown"))
  const ticked = new Set(values.get("topic"))
  const said = state.topics
    .filter(({ key }) => shown.has(key))
    .map(({ id, key }) => [id, ticked.has(key) ? ("subscribed" as const) : ("unsubscribed" as const)] as const)
  return wishing({
    topics: Object.fromEntries(said),
    ...(said.some(([, state]) => state === "subscribed") && { subscribed: true }),
    ...(snoozedUntil !== undefined && { snoozedUntil }),
    ...(locale !== undefined && { locale })
  })
}

const isRequestType = Schema.is(PrivacyRequestType)

/** What the form asks about the data of the recipient. */
export const requestIn = (values: FormValues): PrivacyRequestType | undefined => {
  const given = last(values, "request")
  return isRequestType(given) ? given : undefined
}

/** Mailbox providers send this field (RFC 8058). */
export const isOneClick = (purpose: Purpose, values: FormValues): boolean =>
  purpose === "unsubscribe" && last(values, "List-Unsubscribe") === "One-Click"

/** What the form wants, by the page that it was sent to. A link that names a topic leaves or joins the topic. */
export const readForm = (purpose: Purpose, values: FormValues, state: PageState, now: DateTime.Utc): Read => {
  const { topic, settings } = state
  const ofTopic = (subscribed: boolean): Wish =>
    topic === null
      ? { subscribed }
      : { topics: { [topic.id]: subscribed ? "subscribed" : "unsubscribed" }, ...(subscribed && { subscribed }) }
  const isConfirmed = last(values, "confirm") === "1"
  switch (purpose) {
    case "unsubscribe":
      if (isOneClick(purpose, values)) {
        return wishing(settings.oneClickScope === "all" ? { subscribed: false } : ofTopic(false))
      }
      if (!isConfirmed) return nothing
      return wishing(last(values, "scope") === "all" ? { subscribed: false } : ofTopic(false))
    case "subscribe":
      return isConfirmed ? wishing(ofTopic(true)) : nothing
    case "manage": {
      const action = last(values, "action")
      if (action === "save") return saved(values, state, now)
      if (action === "unsubscribe") return wishing({ subscribed: false })
      const subscribed = last(values, "subscribed")
      return subscribed === "true" || subscribed === "false" ? wishing({ subscribed: subscribed === "true" }) : nothing
    }
  }
}
