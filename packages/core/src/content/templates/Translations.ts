/** The texts of a mail in several languages, and which of them a recipient gets. Pure. */
import type { Translation, Translations } from "@posthorn/contract/content/templates/Template"

/** Subject, body and text in one language. They are never mixed with those of another. */
export interface LocalTexts {
  readonly subject: string
  /** Null for a mail of plain text only. */
  readonly body: string | null
  readonly text: string | null
}

export interface Multilingual extends LocalTexts {
  /** What inboxes show beside the subject. Translations have none. */
  readonly preheader?: string | null
  /** Language of subject, body and text. Null: the language of the project. */
  readonly language: string | null
  readonly translations: { readonly [tag: string]: LocalTexts }
}

/** The tag and its shorter forms: `zh-hans-cn`, `zh-hans`, `zh`. */
function* formsOf(tag: string): Generator<string> {
  for (let form = tag.toLowerCase().replaceAll("_", "-"); form !== ""; ) {
    yield form
    form = form.slice(0, Math.max(0, form.lastIndexOf("-")))
  }
}

/** Longer values are no language tags. */
const maxTag = 35

/** The tag of the translation to use. Undefined for the base texts. */
const translationFor = (wanted: string, base: string, tags: ReadonlyArray<string>): string | undefined => {
  for (const form of formsOf(wanted)) {
    if (form === base.toLowerCase()) return undefined
    const found = tags.find((tag) => tag.toLowerCase() === form)
    if (found !== undefined) return found
  }
  return undefined
}

export interface ChosenTexts extends LocalTexts {
  readonly preheader?: string | null
  /** Language of the texts. Null if neither a language nor a translation is named. */
  readonly language: string | null
}

/**
 * The texts for a recipient. `wanted` are languages by priority; the first one that is a text decides. It is shortened
 * from the right until a translation or the base language has it.
 */
export const textsFor = (
  { subject, preheader = null, body, text, language, translations }: Multilingual,
  wanted: ReadonlyArray<unknown>,
  projectLanguage: string
): ChosenTexts => {
  const base = { subject, body, text, ...(preheader !== null && { preheader }) }
  const tags = Object.keys(translations)
  if (tags.length === 0) return { ...base, language }
  const baseLanguage = language ?? projectLanguage
  const first = wanted.find((tag): tag is string => typeof tag === "string" && tag !== "" && tag.length <= maxTag)
  const tag = translationFor(first ?? projectLanguage, baseLanguage, tags)
  const found = tag === undefined ? undefined : translations[tag]
  return tag === undefined || found === undefined
    ? { ...base, language: baseLanguage }
    : { subject: found.subject, body: found.body, text: found.text, language: tag }
}

type OwnTexts = { readonly [field in keyof LocalTexts]?: string | null | undefined }

/** Own texts take precedence. A text part of the other body is not used beside an own body. */
export const withOwn = (texts: Translation, own: OwnTexts): Translation => ({
  subject: own.subject ?? texts.subject,
  body: own.body ?? texts.body,
  text: own.text ?? (own.body == null ? texts.text : null)
})

/** The translations of a template beside own texts. None if subject and body are own. */
export const translationsWithOwn = (translations: Translations, own: OwnTexts): Translations =>
  own.subject != null && own.body != null
    ? {}
    : Object.fromEntries(Object.entries(translations).map(([tag, texts]) => [tag, withOwn(texts, own)]))
