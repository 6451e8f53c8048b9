import type { english } from "./topicFieldWords.ts"

const german: typeof english = {
  topic: "Thema",
  help: "Nur Kontakte, die das Thema beziehen, erhalten die E-Mail.",
  none: "Kein Thema",
  archived: "Ein archiviertes Thema"
}

export default german
