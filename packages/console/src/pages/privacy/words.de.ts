import type { english } from "./words.ts"

const german: typeof english = {
  title: "Datenschutzanfragen",
  about:
    "Empfänger verlangen auf ihrer Einstellungsseite eine Kopie ihrer Daten oder deren Löschung. Die Einstellungen der Zielgruppe legen fest, was sie verlangen können.",
  settings: "Einstellungen der Zielgruppe",
  person: "Person",
  erased: "(gelöscht)",
  type: "Anfrage",
  types: { EXPORT: "Kopie der Daten", ERASURE: "Löschung" },
  anyType: "Alle Anfragen",
  state: "Status",
  states: {
    UNCONFIRMED: "Unbestätigt",
    OPEN: "Offen",
    DONE: "Erledigt",
    REFUSED: "Abgelehnt",
    EXPIRED: "Abgelaufen"
  },
  meanings: {
    UNCONFIRMED: "Die Person hat eine E-Mail erhalten und ihren Link noch nicht geöffnet.",
    OPEN: "Die Person hat die Anfrage bestätigt. Sie wartet auf Sie.",
    DONE: "Die Person hat die Daten oder ist gelöscht.",
    REFUSED: "Der Person wurde der Grund mitgeteilt.",
    EXPIRED: "Die Anfrage wurde nicht binnen 24 Stunden bestätigt."
  },
  anyState: "Jeder Status",
  requested: "Gestellt",
  confirmed: "Bestätigt",
  due: "Fällig",
  ended: "Beendet",
  note: "Grund der Ablehnung",
  id: "ID",
  open: (person) => `Einzelheiten zu ${person}`,
  details: "Einzelheiten",
  contact: "Kontakt",
  erase: "Löschen",
  eraseAbout: (person) =>
    `Alles über ${person} wird gelöscht: der Kontakt, seine Ereignisse und sein Name in E-Mails und Statistiken. Das lässt sich nicht rückgängig machen.`,
  erasedNow: "Die Person ist gelöscht.",
  refuse: "Ablehnen",
  refuseAbout: "Der Grund geht der Person per E-Mail als reiner Text zu.",
  reason: "Grund",
  reasonHelp: "Höchstens 500 Zeichen.",
  refusedNow: "Die Person erhält den Grund per E-Mail."
}

export default german
