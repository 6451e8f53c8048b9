import { plural } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"
import type { english } from "./bulkWords.ts"

const contacts = (count: number) => plural(count, { one: "1 Kontakt", other: `${numberText(count)} Kontakte` })

const german: typeof english = {
  title: "Kontakte",
  operations: {
    subscribe: "Abonnieren",
    unsubscribe: "Abmelden",
    "set-topics": "Thema setzen",
    "set-data": "Daten setzen",
    "add-to-segment": "Zu Segment hinzufügen",
    "remove-from-segment": "Aus Segment entfernen",
    delete: "Löschen"
  },
  selectAll: (count) => (count === null ? "Alle passenden auswählen" : `Alle ${numberText(count)} passenden auswählen`),
  segment: "Segment",
  chooseSegment: "Segment wählen",
  noSegments: "Es gibt noch kein statisches Segment.",
  topic: "Thema",
  chooseTopic: "Thema wählen",
  noTopics: "Das Projekt hat noch kein Thema.",
  topicState: "Ihre Angabe",
  topicStates: { subscribed: "Ja", unsubscribed: "Nein", unset: "Keine" },
  field: "Feld",
  fieldHelp: "Vorlagen und Bedingungen verwenden es als data.<Name>.",
  how: "Änderung",
  kinds: {
    string: "Text setzen",
    number: "Zahl setzen",
    boolean: "Ja oder Nein setzen",
    json: "JSON-Wert setzen",
    none: "Feld entfernen"
  },
  value: "Wert",
  flags: { true: "Ja", false: "Nein" },
  deleteAbout: "Die Kontakte, ihre Daten und ihre Ereignisse werden gelöscht. Das lässt sich nicht rückgängig machen.",
  reaches: (count) => plural(count, { one: "1 Kontakt wird geändert.", other: `${contacts(count)} werden geändert.` }),
  examples: "Zum Beispiel",
  typeCount: (count) => `Geben Sie zur Bestätigung die Zahl der Kontakte ein: ${count}`,
  cancel: "Abbrechen",
  working: (percent) => `${percent} %`,
  changed: (count) => `${contacts(count)} geändert.`,
  failed: (count) => `${contacts(count)} fehlgeschlagen.`
}

export default german
