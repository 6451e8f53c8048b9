/** The words of the console: one object of sentences a page and language. A missing sentence is a type error. */
import { use } from "react"

export const languages = { en: "English" } as const
export type Language = keyof typeof languages

const chosen = (): Language => {
  const kept = localStorage.getItem("posthorn.language")
  return kept !== null && Object.hasOwn(languages, kept) ? (kept as Language) : "en"
}

export const language: Language = chosen()

type Others<W> = { readonly [L in Exclude<Language, "en">]?: () => Promise<{ readonly default: W }> }

/**
 * Makes the hook that gives the words of a page. English is in the chunk of the page; other languages are loaded when
 * they are chosen.
 */
export const wordsOf = <W extends object>(en: W, others: Others<W> = {}): (() => W) => {
  const load = (others as { readonly [name: string]: (() => Promise<{ readonly default: W }>) | undefined })[language]
  if (load === undefined) return () => en
  let loading: Promise<W> | undefined
  return () => {
    loading ??= load().then((module) => module.default)
    return use(loading)
  }
}

const rules = new Intl.PluralRules(language)

/** The form of a sentence for a number: `plural(n, { one: "1 mail", other: `${n} mails` })`. */
export const plural = (count: number, forms: { readonly one: string; readonly other: string }): string =>
  rules.select(count) === "one" ? forms.one : forms.other
