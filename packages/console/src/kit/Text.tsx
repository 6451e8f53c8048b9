/** Text from outside, numbers and times. */
import { type ReactNode, use, useEffect, useState } from "react"
import { now } from "../app/Clock.ts"
import { usePreferences } from "../app/Preferences.ts"
import { inLanguage, LanguageContext } from "../app/Words.ts"
import { useZone } from "../app/Zone.ts"
import styles from "./kit.module.css"

// biome-ignore format: the groups are ranges of Unicode
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Text that somebody else wrote. Control and direction characters, which can hide what it says, are shown as marks. */
export const Foreign = ({ children }: { readonly children: string | null | undefined }): ReactNode => {
  const text = children ?? ""
  if (text === "") return null
  const parts: Array<ReactNode> = []
  let end = 0
  for (const found of text.matchAll(invisible)) {
    parts.push(text.slice(end, found.index))
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")
    parts.push(
      <span key={found.index} className={styles.mark}>
        U+{code}
      </span>
    )
    end = found.index + 1
  }
  return <bdi>{parts.length === 0 ? text : [...parts, text.slice(end)]}</bdi>
}

/** The text without control and direction characters, for places that show no marks. */
export const plainText = (text: string | undefined): string => text?.replace(invisible, "") ?? ""

/** Data of an event in code letters, at most three lines of it; all of it is shown on hover. */
export const Data = ({ value }: { readonly value: unknown }): ReactNode => {
  const text = value === null || value === undefined ? "" : JSON.stringify(value)
  return (
    <code className={styles.data} title={text}>
      <Foreign>{text}</Foreign>
    </code>
  )
}

const formats = inLanguage((language) => ({
  whole: new Intl.NumberFormat(language),
  compact: new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }),
  percent: new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  relative: new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" })
}))

export const numberText = (value: number): string => formats().whole.format(value)

/** Above 10,000 a short form, with the exact value on hover. */
export const Count = ({ value }: { readonly value: number }): ReactNode => {
  use(LanguageContext)
  const exact = numberText(value)
  return value < 10_000 ? <span>{exact}</span> : <span title={exact}>{formats().compact.format(value)}</span>
}

interface RateProps {
  readonly part: number
  readonly of: number
}

/** A share with one decimal; what it is a share of is shown on hover. */
export const Rate = ({ part, of }: RateProps): ReactNode => {
  use(LanguageContext)
  return of === 0 ? (
    <span>–</span>
  ) : (
    <span title={`${numberText(part)} / ${numberText(of)}`}>{percentText(part / of)}</span>
  )
}

export const percentText = (share: number): string => formats().percent.format(share)

const units = [
  ["second", 1_000, 60_000],
  ["minute", 60_000, 3_600_000],
  ["hour", 3_600_000, 86_400_000]
] as const

const relativeText = (difference: number): string | undefined => {
  const found = units.find(([, , below]) => Math.abs(difference) < below)
  return found && formats().relative.format(Math.round(difference / found[1]), found[0])
}

/** A format is made once: that takes longer than the use of it. */
const dates = inLanguage((language) => {
  const made = new Map<string, Intl.DateTimeFormat>()
  return (options: Intl.DateTimeFormatOptions) => {
    const key = JSON.stringify(options)
    const format = made.get(key) ?? new Intl.DateTimeFormat(language, options)
    made.set(key, format)
    return format
  }
})

export const timeText = (at: string, zone: string, parts: Intl.DateTimeFormatOptions = {}): string =>
  dates()({ dateStyle: "medium", timeStyle: "short", timeZone: zone, ...parts }).format(new Date(at))

/** A day of a calendar, which is the same in every zone: `5 Mar`, or other parts of it. */
export const dayText = (day: string, parts: Intl.DateTimeFormatOptions = { month: "short", day: "numeric" }): string =>
  dates()({ timeZone: "UTC", ...parts }).format(new Date(day))

/** Relative below a day, otherwise the date; the exact time is shown on hover. "Now" is the time of the service. */
export const Time = ({
  at,
  exact = false
}: {
  readonly at: string | null | undefined
  readonly exact?: boolean
}): ReactNode => {
  const zone = useZone()
  usePreferences()
  use(LanguageContext)
  const [, tick] = useState(0)
  const difference = at ? Date.parse(at) - now() : 0
  const isRecent = !exact && Math.abs(difference) < 86_400_000
  useEffect(() => {
    if (!isRecent) return
    const timer = setInterval(() => tick((count) => count + 1), 15_000)
    return () => clearInterval(timer)
  }, [isRecent])
  if (!at) return <span>–</span>
  const full = timeText(at, zone, { timeStyle: "medium" })
  return (
    <time dateTime={at} title={`${full} (${zone})`}>
      {(isRecent && relativeText(difference)) || (exact ? full : timeText(at, zone))}
    </time>
  )
}
