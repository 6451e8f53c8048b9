import type { english } from "./words.ts"

const german: typeof english = {
  title: "Themen",
  about: "Ein Thema ist eine Art von E-Mails, etwa Neuigkeiten oder Angebote, die man einzeln bezieht oder abbestellt.",
  create: "Neues Thema",
  createButton: "Anlegen",
  filter: "Welche Themen",
  inUse: "In Verwendung",
  archived: "Archiviert",
  noArchived: "Kein Thema ist archiviert.",
  name: "Name",
  nameHelp: "Empfänger lesen ihn.",
  description: "Beschreibung",
  descriptionHelp: "Empfänger lesen sie unter dem Namen.",
  key: "Schlüssel",
  keyHelp: "Benennt das Thema in Aufrufen und Ereignissen. Er ändert sich nie. Leer: wird aus dem Namen gebildet.",
  default: "Wer nichts angibt,",
  defaults: { subscribed: "Bezieht die E-Mails", unsubscribed: "Bezieht die E-Mails nicht" },
  defaultHelp: "Das ändert sich nie: Sonst erhielten Menschen E-Mails, die nie zugestimmt haben.",
  visibility: "Sichtbarkeit",
  visibilities: { public: "Öffentlich", private: "Privat" },
  visibilityHelp: {
    public: "Auf der Einstellungsseite jedes Kontakts und in Formularen.",
    private: "Auf der Seite derer, die es beziehen oder etwas dazu angegeben haben, und in keinem Formular."
  },
  doubleOptIn: "Bestätigung per E-Mail",
  doubleOptIns: { default: "Nach den Einstellungen der Zielgruppe", yes: "Immer", no: "Nie" },
  place: "Platz in Listen",
  translations: "Weitere Sprachen",
  translationsAbout: "Empfänger lesen den Text ihrer Sprache, wenn es einen gibt.",
  languageCode: "Sprache",
  languageHelp: "Zum Beispiel de oder pt-BR.",
  addLanguage: "Sprache hinzufügen",
  removeLanguage: (language) => `${language} entfernen`,
  noLanguage: "Nennen Sie eine Sprache, die noch nicht in der Liste steht.",
  save: "Speichern",
  saved: "Gespeichert.",
  subscribers: "Beziehen es",
  subscribed: "Haben zugestimmt",
  unsubscribed: "Haben abgelehnt",
  pending: "Um Bestätigung gebeten",
  facts: "Angaben",
  id: "ID",
  created: "Angelegt",
  changed: "Geändert",
  archive: "Archivieren",
  unarchive: "Wiederherstellen",
  isArchived:
    "Dieses Thema ist archiviert: Seiten, Formulare und neue E-Mails kommen ohne es aus. Was Menschen dazu angegeben haben, bleibt.",
  archivedNow: (name) => `${name} ist archiviert.`,
  unarchivedNow: (name) => `${name} ist wieder in Verwendung.`,
  delete: "Löschen",
  deleteAbout:
    "Auch die Angaben der Menschen dazu werden gelöscht. Einwilligungsnachweise bleiben. Das lässt sich nicht rückgängig machen.",
  deleted: (name) => `${name} ist gelöscht.`,
  usedBy: "Das Thema kann nicht gelöscht werden, solange es verwendet wird von:",
  users: {
    campaigns: "Kampagne",
    templates: "Vorlage",
    workflowSteps: "Schritt",
    forms: "Formular",
    segments: "Segment"
  },
  close: "Schließen",
  tabs: "Teile des Themas",
  settings: "Einstellungen",
  contacts: "Kontakte",
  state: "Kontakte, die",
  states: {
    takes: "es beziehen",
    subscribed: "zugestimmt haben",
    unsubscribed: "abgelehnt haben",
    pending: "um Bestätigung gebeten wurden"
  },
  noContacts: {
    takes: "Kein Kontakt bezieht diese E-Mails.",
    subscribed: "Kein Kontakt hat zugestimmt.",
    unsubscribed: "Kein Kontakt hat abgelehnt.",
    pending: "Kein Kontakt wurde um Bestätigung gebeten, ohne bisher zu antworten."
  },
  subscription: "Marketing-E-Mails",
  subscriptions: { subscribed: "Abonniert", unsubscribed: "Abgemeldet", pending: "Um Bestätigung gebeten" },
  paused: "Pausiert",
  address: "Adresse",
  since: "Angelegt"
}

export default german
