import type { english } from "./viewWords.ts"

const german: typeof english = {
  views: "Ansichten",
  all: "Alles",
  save: "Diese Ansicht speichern",
  change: (name) => `${name} ändern`,
  update: (name) => `Diese Filter in ${name} übernehmen`,
  remove: (name) => `${name} löschen`,
  shared: (name) => `${name}, geteilt`,
  sharedBy: (name, who) => `${name}, geteilt von ${who}`,
  key: "einem Schlüssel",
  loading: "Wird geladen",
  failed: "Die Ansichten konnten nicht gelesen werden.",
  name: "Name",
  share: "Alle Mitglieder des Projekts sehen sie",
  saveButton: "Speichern",
  saved: (name) => `${name} ist gespeichert.`,
  removed: (name) => `${name} ist gelöscht.`,
  saveTitle: "Diese Ansicht speichern",
  changeTitle: "Diese Ansicht ändern"
}

export default german
