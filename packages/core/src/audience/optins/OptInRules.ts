/** When a contact must confirm what a call subscribes it to, and how many mails may ask. Pure. */
import type { AudienceSettings } from "@posthorn/contract/audience/settings/AudienceSettings"
import { DateTime, Duration } from "effect"

/** Who subscribes the contact. */
export interface Asking {
  /** A form, or a call with the public key: anybody can give any address. */
  readonly isPublic: boolean
  /** What the call says. */
  readonly call?: boolean | null | undefined
  /** Whether the call wants the contact subscribed only if it creates it. */
  readonly newContact?: boolean
  /** What the form says. */
  readonly form?: boolean | null | undefined
}

/** The call decides, then the form, then the topic, then the settings. */
export const isDue = (
  { doubleOptIn: { mode } }: Pick<AudienceSettings, "doubleOptIn">,
  { isPublic, call, form }: Asking,
  topic?: boolean | null
): boolean => call ?? form ?? topic ?? (mode === "all" || (mode === "public" && isPublic))

/** How a write applies what it says about the subscription of a contact. */
export interface Admitted {
  /** Stored at once. Undefined: the contact keeps its state. */
  readonly subscribed: boolean | undefined
  readonly subscribedWhenNew: boolean
  /** Whether the contact must be asked, unless it is subscribed already. */
  readonly asks: boolean
}

/** A call that asks for an opt-in, and says nothing else, wants the contact subscribed. */
export const admitted = (
  rules: Pick<AudienceSettings, "doubleOptIn">,
  asking: Asking,
  { subscribed, subscribedWhenNew }: { readonly subscribed: boolean | undefined; readonly subscribedWhenNew: boolean }
): Admitted => {
  if (!isDue(rules, asking)) return { subscribed, subscribedWhenNew, asks: false }
  const wants = subscribed ?? (asking.newContact === true || asking.call === true)
  return { subscribed: wants ? undefined : subscribed, subscribedWhenNew: false, asks: wants }
}

/** A rule of mails to one address: at most so many within a time. */
export type MailRule = readonly [within: Duration.Duration, count: number]

/** Of public sign-ups, and of calls with a secret key. */
export const mailRules: { readonly [from in "key" | "public"]: ReadonlyArray<MailRule> } = {
  public: [
    [Duration.minutes(10), 1],
    [Duration.hours(24), 3],
    [Duration.days(30), 6]
  ],
  key: [
    [Duration.minutes(1), 1],
    [Duration.hours(24), 10]
  ]
}

/** The longest time and the largest number of a rule. */
export const reachOf = (rules: ReadonlyArray<MailRule>) => ({
  within: rules.reduce((longest, [within]) => Duration.max(longest, within), Duration.zero),
  count: rules.reduce((most, [, count]) => Math.max(most, count), 0)
})

/** When the next mail is allowed, later than now. Undefined: now. `times` are those of the newest mails, newest first. */
export const nextMailAt = (
  rules: ReadonlyArray<MailRule>,
  times: ReadonlyArray<DateTime.Utc>,
  now: DateTime.Utc
): DateTime.Utc | undefined =>
  rules.reduce<DateTime.Utc | undefined>((latest, [within, count]) => {
    const oldest = times[count - 1]
    const free = oldest && DateTime.addDuration(oldest, within)
    if (free === undefined || !DateTime.isGreaterThan(free, now)) return latest
    return latest === undefined || DateTime.isGreaterThan(free, latest) ? free : latest
  }, undefined)

/** For this long public sign-ups send no mail to an address whose owner has declined. */
export const declineLasts: Duration.Duration = Duration.days(365)
