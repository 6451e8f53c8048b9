/** The names of the topics that a contact is asked for, as it reads them. Pure. */
import { wordsIn } from "../topics/TopicOfMail.ts"

interface Named {
  readonly name: string
}

export interface AskedTopic extends Named {
  readonly translations: { readonly [language: string]: Named }
}

/** In the first language that is given. */
export const namesIn = (topics: ReadonlyArray<AskedTopic>, ...languages: ReadonlyArray<string | null>): string =>
  topics.map((topic) => wordsIn<Named>(topic, languages.find((one) => one !== null) ?? "").name).join(", ")
