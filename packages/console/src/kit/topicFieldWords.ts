import { wordsOf } from "../app/Words.ts"

export const english = {
  topic: "Topic",
  help: "Only contacts that take the topic get the mail.",
  none: "No topic",
  archived: "An archived topic"
}

export const topicFieldWords = wordsOf(english, { de: () => import("./topicFieldWords.de.ts") })
