import type { SentenceWords } from "./sentenceWords.ts"

const german: SentenceWords = {
  everyone: "Alle Kontakte.",
  contacts: (condition) => `Kontakte, für die gilt: ${condition}.`,
  and: " und ",
  or: " oder ",
  listEnd: " oder ",
  missing: "(nicht angegeben)",
  nothing: "nichts",
  flags: { true: "wahr", false: "falsch" },
  fields: { email: "die Adresse", createdAt: "der Zeitpunkt der Anlage", updatedAt: "die letzte Änderung" },
  subscribed: "der Kontakt ist abonniert",
  unsubscribed: "der Kontakt ist nicht abonniert",
  units: {
    minutes: { one: "Minute", other: "Minuten" },
    hours: { one: "Stunde", other: "Stunden" },
    days: { one: "Tag", other: "Tagen" },
    weeks: { one: "Woche", other: "Wochen" },
    months: { one: "Monat", other: "Monaten" }
  },
  values: {
    equals: (field, value) => `${field} ist ${value}`,
    notEquals: (field, value) => `${field} ist gesetzt und nicht ${value}`,
    contains: (field, value) => `${field} enthält ${value}`,
    notContains: (field, value) => `${field} ist gesetzt und enthält nicht ${value}`,
    startsWith: (field, value) => `${field} beginnt mit ${value}`,
    endsWith: (field, value) => `${field} endet mit ${value}`,
    in: (field, value) => `${field} ist ${value}`,
    notIn: (field, value) => `${field} ist gesetzt und nicht ${value}`,
    greaterThan: (field, value) => `${field} liegt über ${value}`,
    greaterThanOrEqual: (field, value) => `${field} ist ${value} oder liegt darüber`,
    lessThan: (field, value) => `${field} liegt unter ${value}`,
    lessThanOrEqual: (field, value) => `${field} ist ${value} oder liegt darunter`,
    exists: (field) => `${field} ist gesetzt`,
    notExists: (field) => `${field} ist nicht gesetzt`,
    within: (field, span) => `${field} liegt höchstens ${span} zurück`,
    olderThan: (field, span) => `${field} liegt mehr als ${span} zurück`
  },
  between: (field, low, high) => `${field} liegt zwischen ${low} und ${high}`,
  after: (field, value) => `${field} liegt nach ${value}`,
  before: (field, value) => `${field} liegt vor ${value}`,
  inLast: (span) => (span.startsWith("1 ") ? ` innerhalb von ${span} bis jetzt` : ` in den letzten ${span}`),
  where: (tests) => ` (mit Daten, für die gilt: ${tests})`,
  event: {
    happened: (name, times) => (times === 1 ? `${name} gab es` : `${name} gab es mindestens ${times}-mal`),
    never: (name) => `${name} gab es nie`,
    notWithin: (name) => `${name} gab es nicht`,
    older: (name, span) => `${name} gab es zuletzt vor mehr als ${span}`
  },
  mail: {
    happened: (done, times) =>
      times === 1 ? `eine E-Mail wurde ${done}` : `mindestens ${times} E-Mails wurden ${done}`,
    never: (done) => `nie wurde eine E-Mail ${done}`,
    notWithin: (done) => `keine E-Mail wurde ${done}`,
    older: (done, span) => `zuletzt wurde vor mehr als ${span} eine E-Mail ${done}`
  },
  activities: {
    sent: "gesendet",
    delivered: "zugestellt",
    opened: "geöffnet",
    clicked: "angeklickt",
    bounced: "als unzustellbar zurückgewiesen",
    complained: "als Spam gemeldet"
  },
  member: (name) => `der Kontakt ist in ${name}`,
  noMember: (name) => `der Kontakt ist nicht in ${name}`,
  segment: (name) => `dem Segment ${name}`
}

export default german
