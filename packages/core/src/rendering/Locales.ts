/** Languages and time zones as data names them, which may be anything; and what is dear to make for each of them. */
import { Result } from "effect"

const maxRemembered = 200

/** A function that keeps what it made, for at most 200 keys; then it starts anew. */
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

/** `de`, `pt-BR` and `pt_BR` are locales; a name that is none, or unknown here, gives the other. */
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

/** A name of the IANA database or an offset like `+02:00`. */
export const zoneOrUtc = (value: unknown): string =>
  typeof value === "string" && value !== "" && value.length <= 64 ? canonicalZone(value) : "UTC"
