import { numberText } from "../../kit/Text.tsx"
import type { english } from "./importWords.ts"

const german: typeof english = {
  title: "Kontakte importieren",
  contacts: "Kontakte",
  steps: "Schritte",
  names: { file: "Datei", columns: "Spalten", options: "Optionen", check: "Prüfung" },
  file: "CSV- oder TSV-Datei",
  fileHelp: "Die erste Zeile enthält die Namen der Spalten. Eine Spalte enthält die Adresse.",
  chooseFile: "Wählen Sie eine Datei.",
  noRows: "Die Datei hat unter der ersten Zeile keine weiteren.",
  unreadable: "Die Datei kann nicht gelesen werden.",
  next: "Weiter",
  back: "Zurück",
  import: "Importieren",
  target: (column) => `Ziel von ${column}`,
  targets: {
    skip: "Überspringen",
    email: "Adresse",
    externalId: "Externe ID",
    subscribed: "Abonnement",
    locale: "Sprache",
    timezone: "Zeitzone",
    topic: "Thema",
    data: "Datenfeld"
  },
  topic: (column) => `Thema von ${column}`,
  key: (column) => `Feld von ${column}`,
  needsKey: "Ein Feld braucht einen Namen.",
  needsEmail: "Wählen Sie die Spalte mit der Adresse oder der externen ID.",
  twoEmails:
    "Adresse, externe ID, Abonnement, Sprache, Zeitzone und jedes Thema kann jeweils nur eine Spalte enthalten.",
  preview: "Erste Zeilen der Datei",
  segment: "Statisches Segment",
  noSegment: "Kein Segment",
  segmentHelp: "Jeder importierte Kontakt tritt ihm bei.",
  consent: {
    optIn: "Kontakte, die die Datei anmeldet",
    optInHelp: "Auch solche, für die sie ein Thema bestellt.",
    optIns: { skip: "Sind sofort angemeldet", send: "Müssen per E-Mail bestätigen" },
    choose: "Auswählen",
    needed: "Kontakte dieses Projekts müssen bestätigen. Geben Sie an, ob diese gefragt werden.",
    title: "Einwilligungsnachweis",
    about: "Steht im Nachweis jedes Kontakts, den die Datei anmeldet. Lassen Sie ihn leer, wenn es keinen gibt.",
    basis: "Grundlage",
    basisHelp: "Zum Beispiel Einwilligung oder Vertrag.",
    day: "Eingewilligt am",
    wording: "Was die Personen gelesen haben",
    wordingHelp: "Der Text, in den sie eingewilligt haben."
  },
  checking: "Die Datei wird geprüft",
  checked: (created, changed, faulty) =>
    `${numberText(created)} neu, ${numberText(changed)} geändert, ${numberText(faulty)} fehlerhaft`,
  asked: (count) => `, ${numberText(count)} um Bestätigung gebeten`,
  faulty: "Fehlerhafte Zeilen",
  faultyCsv: "Fehlerhafte Zeilen als CSV",
  faultyAbout: "Fehlerhafte Zeilen werden ausgelassen. Die übrigen werden importiert.",
  more: "Es gibt mehr fehlerhafte Zeilen als diese.",
  line: "Zeile",
  address: "Adresse",
  fault: "Fehler",
  importing: "Import läuft",
  rows: (count, perSecond) =>
    `${numberText(count)} Zeilen${perSecond > 0 ? `, ${numberText(perSecond)} pro Sekunde` : ""}`,
  keepOpen: "Die Datei wird noch gesendet. Lassen Sie diesen Tab bis dahin offen.",
  cancel: "Import abbrechen",
  done: (created, changed, faulty) =>
    `Importiert: ${numberText(created)} neu, ${numberText(changed)} geändert, ${numberText(faulty)} fehlerhaft`,
  cancelled: "Der Import wurde abgebrochen. Bereits importierte Zeilen bleiben.",
  failed: "Ein Teil des Imports ist fehlgeschlagen.",
  another: "Weitere Datei importieren",
  toContacts: "Kontakte öffnen",
  none: "Es gibt keinen Import mit dieser ID, oder er ist älter als 30 Tage.",
  earlier: "Frühere Importe",
  started: "Gestartet",
  state: "Status",
  states: {
    waiting: "Wartet",
    active: "Läuft",
    completed: "Abgeschlossen",
    failed: "Fehlgeschlagen",
    cancelled: "Abgebrochen"
  },
  result: "Zeilen"
}

export default german
