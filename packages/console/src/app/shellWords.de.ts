import type { english } from "./shellWords.ts"

const german: typeof english = {
  places: {
    overview: "Übersicht",
    mails: "E-Mails",
    activity: "Aktivität",
    campaigns: "Kampagnen",
    workflows: "Workflows",
    templates: "Vorlagen",
    contacts: "Kontakte",
    segments: "Segmente",
    topics: "Themen",
    forms: "Formulare",
    privacyRequests: "Datenschutzanfragen",
    events: "Ereignisse",
    domains: "Domains",
    providers: "Anbieter",
    suppressions: "Sperrliste",
    keys: "API-Schlüssel",
    webhooks: "Webhooks",
    transports: "Transporte",
    mailbox: "Testpostfach",
    settings: "Einstellungen"
  },
  groups: {
    work: "Arbeit",
    audience: "Zielgruppe",
    deliverability: "Zustellbarkeit",
    developers: "Entwicklung",
    project: "Projekt"
  },
  skip: "Zum Inhalt springen",
  search: "Suchen",
  page: "Seite",
  main: "Seiten",
  projects: "Projekte",
  switchProject: "Projekt wechseln",
  allProjects: "Alle Projekte",
  account: "Konto",
  yourAccount: "Ihr Konto",
  signOut: "Abmelden",
  more: "Mehr",
  language: "Sprache",
  asBrowser: "Wie der Browser",
  scheme: "Farben",
  schemes: { system: "Wie das System", light: "Hell", dark: "Dunkel" },
  zone: "Zeiten",
  zones: { browser: "In meiner Zeitzone", project: "In der Zeitzone des Projekts", utc: "In UTC" },
  docs: "API-Referenz",
  disabled: (reason) => `Dieses Projekt ist gesperrt: ${reason} Lesen ist möglich, Schreiben nicht.`,
  reasons: {
    PAYMENT_FAILED: "Eine Zahlung ist fehlgeschlagen.",
    EMAIL_REPUTATION: "Zu viele seiner E-Mails waren unzustellbar oder führten zu Beschwerden.",
    PHISHING_DETECTED: "Seine E-Mails wurden als Phishing gemeldet.",
    MANUAL: "Der Betreiber hat es gesperrt."
  },
  openBilling: "Abrechnung öffnen",
  openStanding: "Reputation ansehen",
  resetting: "Die Daten dieses Projekts werden gelöscht.",
  readOnly: "Ihre Rolle ist MEMBER: Einige Aktionen sind Administratoren vorbehalten.",
  devBand: "Entwicklung: E-Mails landen im Testpostfach.",
  openMailbox: "Testpostfach öffnen",
  offline: "Der Server antwortet nicht. Was Sie sehen, kann veraltet sein. Das Lesen wird wiederholt.",
  unverified: "Ihre Adresse ist nicht bestätigt.",
  sendAgain: "E-Mail erneut senden",
  sentAgain: "Gesendet. Öffnen Sie den Link in der E-Mail.",
  faults: {
    title: "Diese Seite konnte nicht angezeigt werden",
    newer: "Die Konsole wurde aktualisiert. Laden Sie die Seite neu.",
    reload: "Neu laden",
    missing: "Diese Seite gibt es nicht",
    missingAbout: "Die Adresse führt ins Leere: Das Ziel wurde gelöscht oder gehört nicht zu diesem Projekt.",
    home: "Zur Übersicht"
  }
}

export default german
