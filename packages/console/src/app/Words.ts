/**
 * The words of the console: one object of sentences a page and language, in files beside each other (`words.ts`,
 * `words.de.ts`). A sentence that a language lacks is a type error.
 */
import { createContext, use, useSyncExternalStore } from "react"
import { onPreference, preferences } from "./Preferences.ts"

export const languages = { en: "English", de: "Deutsch" } as const
export type Language = keyof typeof languages

const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name)

/** The language that was chosen, else the first one of the browser that the console has. */
const wanted = (): Language =>
  [preferences().language, ...navigator.languages].map((tag) => tag.replace(/-.*/, "")).find(isLanguage) ?? "en"

let current = wanted()
const listeners = new Set<() => void>()
/** Loads the words of the present page, and of those before, in a language. */
const loads: Array<(language: Language) => unknown> = []

/** The language in which the console is shown. Components take it from `LanguageContext`. */
export const language = (): Language => current

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The language, for the root of the console, which gives it to all components. */
export const useShownLanguage = (): Language => useSyncExternalStore(subscribe, language)

/**
 * A component that reads it by `use` is drawn again in another language. Unlike a hook, `use` may stand behind a
 * condition: components ask for words where they need them.
 */
export const LanguageContext = createContext(current)

/** Shows the wanted language as soon as all its words are there, so that no page stands half in another one. */
export const showLanguage = async (): Promise<void> => {
  const next = wanted()
  await Promise.all(loads.map((load) => load(next)))
  if (next !== wanted()) return
  current = next
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}
onPreference(() => void (wanted() !== current && showLanguage()))

type Others<W> = { readonly [L in Exclude<Language, "en">]: () => Promise<{ readonly default: W }> }

/** A promise as `use` marks it, so that words that are there are given without waiting. */
const marked = <W>(loading: Promise<W>): Promise<W> => {
  void loading.then((value) => Object.assign(loading, { status: "fulfilled", value }))
  return loading
}

/**
 * Makes the function that gives the words of a page while it is drawn. English is in the chunk of the page; another
 * language is loaded beside it while it is shown. What cannot be loaded, because a newer version was deployed, stays
 * English.
 */
export const wordsOf = <W extends object>(english: W, others: Others<W>): (() => W) => {
  const known = new Map<Language, Promise<W>>()
  const load = (name: Language): Promise<W> | undefined => {
    if (name === "en" || known.has(name)) return known.get(name)
    const loading = marked(
      others[name]().then(
        (words) => words.default,
        () => english
      )
    )
    known.set(name, loading)
    return loading
  }
  loads.push(load)
  load(current)
  return () => {
    const loading = load(use(LanguageContext))
    return loading === undefined ? english : use(loading)
  }
}

/** What is made once for each language, such as a formatter of numbers. */
export const inLanguage = <A>(make: (language: Language) => A): (() => A) => {
  const made = new Map<Language, A>()
  return () => {
    const known = made.get(current)
    if (known !== undefined) return known
    const value = make(current)
    made.set(current, value)
    return value
  }
}

const rules = inLanguage((name) => new Intl.PluralRules(name))

/** The form of a sentence for a number: `plural(n, { one: "1 mail", other: `${n} mails` })`. */
export const plural = (count: number, forms: { readonly one: string; readonly other: string }): string =>
  rules().select(count) === "one" ? forms.one : forms.other
