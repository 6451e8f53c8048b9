import type { english } from "./consentWords.ts"

const german: typeof english = {
  title: "Einwilligungsnachweise",
  about:
    "Wozu der Kontakt eingewilligt oder was er widerrufen hat, und womit sich das belegen lässt. Diese Nachweise lassen sich nicht ändern.",
  empty: "Der Kontakt hat nie in E-Mails eingewilligt und nie widerrufen.",
  export: "Nachweise exportieren",
  what: "Was",
  actions: {
    requested: "Um Bestätigung gebeten",
    granted: "Eingewilligt",
    withdrawn: "Widerrufen",
    declined: "Abgelehnt",
    expired: "Nicht geantwortet",
    merged: "Mit anderem Kontakt zusammengeführt"
  },
  scope: "Wofür",
  marketing: "Marketing-E-Mails",
  source: "Über",
  sources: {
    api: "Aufruf der API",
    send: "Sendeaufruf",
    track: "Erfassung eines Ereignisses",
    import: "Import",
    bulk: "Änderung vieler Kontakte",
    workflow: "Workflow",
    form: "Anmeldeformular",
    page: "Einstellungsseite",
    one_click: "Ein Klick im Mailprogramm",
    double_opt_in: "Bestätigung per E-Mail",
    bounce: "Bounce",
    complaint: "Beschwerde",
    merge: "Zusammenführung"
  },
  who: "Wer",
  actors: {
    recipient: "Die Person",
    key: "Ihr Server",
    public_key: "Der öffentliche Schlüssel",
    member: "Ein Mitglied",
    service: "Der Dienst"
  },
  when: "Wann",
  recorded: "Aufgezeichnet",
  address: "Adresse",
  wording: "Text, den die Person gesehen hat",
  language: "Sprache",
  formVersion: "Version des Formulars",
  basis: "Grundlage",
  evidence: "Beleg",
  ip: "Adresse des Geräts",
  userAgent: "Browser",
  mail: "E-Mail",
  campaign: "Kampagne",
  form: "Formular",
  open: "Öffnen",
  optIn: "Bitte um Bestätigung",
  job: "Auftrag",
  user: "Benutzer",
  id: "ID"
}

export default german
