/** What a form says in a language. Pure. */
import type { FormTexts } from "@posthorn/contract/audience/forms/Form"
import type { Topic } from "@posthorn/contract/audience/topics/Topic"
import { canonicalTag, isLanguageTag } from "@posthorn/contract/platform/LanguageTag"
import type { ShownForm } from "./FormStore.ts"

/** The translation of the language, else that of its first part. */
const translationIn = <A>(translations: Readonly<Record<string, A>>, language: string): A | undefined =>
  [language, language.split("-", 1)[0] ?? ""]
    .filter((tag) => Object.hasOwn(translations, tag))
    .map((tag) => translations[tag])[0]

type KnownTopic = Pick<Topic, "archived" | "description" | "id" | "key" | "name" | "translations" | "visibility">

/** A topic as the form offers it. */
export interface OfferedTopic {
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly mode: "always" | "choice"
}

export interface SpokenForm extends FormTexts {
  readonly title: string
  readonly topics: ReadonlyArray<OfferedTopic>
}

const longestWording = 8_000

/** Archived and private topics are left out. */
export const spokenIn = (shown: ShownForm, topics: ReadonlyArray<KnownTopic>, language: string): SpokenForm => {
  const { name, texts, translations, topics: offered } = shown
  const translated = translationIn(translations, language)
  const text = (part: keyof FormTexts) => translated?.[part] ?? texts[part]
  return {
    title: text("title") ?? name,
    description: text("description"),
    button: text("button"),
    success: text("success"),
    consentText: text("consentText"),
    topics: offered.flatMap(({ id, mode }) => {
      const topic = topics.find((one) => one.id === id)
      if (topic === undefined || topic.archived || topic.visibility !== "public") return []
      const words = translationIn(topic.translations, language) ?? topic
      return [{ key: topic.key, name: words.name, description: words.description, mode }]
    })
  }
}

/** All that the form says, as a record of consent keeps it. `button` is what the button said. */
export const wordingOf = ({ title, description, consentText, topics }: SpokenForm, button: string): string =>
  [
    title,
    description,
    ...topics.map((topic) => (topic.description === null ? topic.name : `${topic.name}: ${topic.description}`)),
    consentText,
    button
  ]
    .filter((line) => line !== null)
    .join("\n")
    .slice(0, longestWording)

/** The language that a visitor asked for, in its usual spelling. Undefined for anything that is no language. */
export const languageTag = (given: unknown): string | undefined =>
  typeof given === "string" && isLanguageTag(given) ? canonicalTag(given) : undefined
