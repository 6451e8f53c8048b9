import type { english } from "./words.ts"

const german: typeof english = {
  cancel: "Abbrechen",
  close: "Schließen",
  confirm: "Bestätigen",
  copied: "Kopiert",
  copy: (name) => `${name} kopieren`,
  clear: "Leeren",
  clearFilters: "Filter zurücksetzen",
  nothingFits: "Nichts passt zu diesen Filtern.",
  typeToConfirm: (text) => `Geben Sie zur Bestätigung ${text} ein`,
  notTheName: (text) => `Das ist nicht ${text}.`,
  remove: (name) => `${name} entfernen`,
  search: "Suchen",
  tryAgain: "Erneut versuchen",
  requestId: "ID der Anfrage",
  gone: "Es wurde gelöscht oder gehört zu einem anderen Projekt.",
  undo: "Rückgängig",
  more: "Weitere Aktionen",
  loading: "Wird geladen",
  loadMore: "Mehr laden",
  needsRole: (role) => `Dafür ist die Rolle ${role} nötig.`,
  whoHasIt: (people) =>
    people.length === 0
      ? "Ein Administrator des Projekts kann Ihre Rolle ändern."
      : `Fragen Sie ${new Intl.ListFormat("de", { type: "disjunction" }).format(people.slice(0, 3))}.`,
  isDisabled: "Dieses Projekt ist gesperrt: Es kann gelesen, aber nicht geändert werden.",
  yours: (role) => `Ihre Rolle ist ${role}.`,
  showTable: "Als Tabelle zeigen",
  showChart: "Als Diagramm zeigen",
  select: "Auswählen",
  selectRow: (name) => `${name} auswählen`,
  selected: (count) => `${count} ausgewählt`,
  clearSelection: "Auswahl aufheben",
  newRows: (count) => `${count} neu`,
  yes: "Ja",
  no: "Nein",
  none: "Keine",
  showCode: "Code zeigen",
  codeAbout: "Dieselbe Aktion als Code. Legen Sie einen Schlüssel des Projekts in der Variablen POSTHORN_KEY ab.",
  curl: "curl",
  client: "TypeScript",
  command: "Befehlszeile",
  onlyOnce: (name) => `${name}: wird nur jetzt angezeigt. Bewahren Sie ihn sicher auf.`,
  show: "Zeigen",
  hide: "Verbergen",
  download: "Herunterladen",
  save: "Speichern",
  saved: "Gespeichert.",
  days: (count) => (count === 1 ? "1 Tag" : `${count} Tage`)
}

export default german
