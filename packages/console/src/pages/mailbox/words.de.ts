import type { english } from "./words.ts"

const german: typeof english = {
  title: "Testpostfach",
  search: "Adresse oder Betreff",
  about: "Jede E-Mail, die dieser Server sendet, wird hier abgefangen. Nichts verlässt diesen Rechner.",
  subject: "Betreff",
  to: "An",
  from: "Von",
  at: "Eingegangen",
  record: "Eintrag öffnen",
  raw: ".eml herunterladen",
  classic: "Im einfachen Postfach öffnen",
  empty: "Postfach leeren",
  emptied: "Das Postfach ist leer.",
  emptyAbout: "Alle abgefangenen E-Mails werden gelöscht. Ihre Einträge im Projekt bleiben.",
  clock: "Uhr",
  advance: { "1 hour": "+1 Stunde", "1 day": "+1 Tag", "3 days": "+3 Tage" },
  moved: (time) => `Die Uhr des Dienstes steht auf ${time}.`,
  noSubject: "(kein Betreff)",
  text: "Text",
  outcomes: "E-Mails an diese Adressen erleben, was ihr Name sagt:"
}

export default german
