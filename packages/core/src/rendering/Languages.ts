/** The languages of everything that the service itself says to recipients. */

export const languages = ["en", "de", "fr", "es", "nl", "pt", "it", "pl", "ja", "zh-CN"] as const
export type Language = (typeof languages)[number]

/**
 * The first candidate that has a language of ours, else English. A region that is not ours is dropped (`de-AT` is
 * German), Chinese of any kind is `zh-CN`. Candidates that are no text, as data may be, are passed over.
 */
export const languageOf = (...candidates: ReadonlyArray<unknown>): Language => {
  for (const candidate of candidates) {
    const language = typeof candidate === "string" ? known(candidate) : undefined
    if (language !== undefined) return language
  }
  return "en"
}

const known = (locale: string): Language | undefined => {
  const primary = locale.trim().toLowerCase().split(/[-_]/, 1)[0]
  return languages.find((language) => language.split("-", 1)[0] === primary)
}
