/** The languages of all texts that the service shows to recipients. */

export const languages = ["en", "de", "fr", "es", "nl", "pt", "it", "pl", "ja", "zh-CN"] as const
export type Language = (typeof languages)[number]

/**
 * The first candidate with a supported language, else English. An unsupported region is dropped (`de-AT` is German).
 * Any kind of Chinese is `zh-CN`. Candidates that are not text, which data can contain, are skipped.
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
