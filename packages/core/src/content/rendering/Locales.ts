/**
 * Validates the language and time zone names in data, and caches objects that are expensive to create for each of them.
 */
import { Result } from "effect"

const maxRemembered = 200

/** Caches the results of a function for up to 200 keys. When the cache is full, it is cleared. */
export const remember = <Args extends ReadonlyArray<unknown>, A>(
  make: (...args: Args) => A,
  keyOf: (...args: Args) => string
): ((...args: Args) => A) => {
  const made = new Map<string, A>()
  return (...args) => {
    const key = keyOf(...args)
    const found = made.get(key)
    if (found !== undefined) return found
    if (made.size >= maxRemembered) made.clear()
    const fresh = make(...args)
    made.set(key, fresh)
    return fresh
  }
}

const same = (text: string) => text

const canonicalLocale = remember(
  (text: string): string | null =>
    Result.getOrElse(
      Result.try(() => Intl.DateTimeFormat.supportedLocalesOf(text.replaceAll("_", "-"))[0] ?? null),
      () => null
    ),
  same
)

/** `de`, `pt-BR` and `pt_BR` are locales. An invalid or unknown name gives `other`. */
export const localeOr = (value: unknown, other: string): string =>
  (typeof value === "string" && value !== "" && value.length <= 35 ? canonicalLocale(value) : null) ?? other

const canonicalZone = remember(
  (text: string): string =>
    Result.getOrElse(
      Result.try(() => new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone),
      () => "UTC"
    ),
  same
)

/** Accepts a name of the IANA database or an offset like `+02:00`. Returns UTC for everything else. */
export const zoneOrUtc = (value: unknown): string =>
  typeof value === "string" && value !== "" && value.length <= 64 ? canonicalZone(value) : "UTC"
