import { plural } from "../../app/Words.ts"
import type { english } from "./words.ts"

const german: typeof english = {
  domains: "Domains",
  noDomains:
    "E-Mails gehen nur von einer verifizierten Domain aus: Fügen Sie eine hinzu und veröffentlichen Sie ihre DNS-Einträge.",
  addDomain: "Domain hinzufügen",
  domain: "Domain",
  domainHelp: "Zum Beispiel example.com oder mail.example.com.",
  state: "Status",
  states: { VERIFIED: "Verifiziert", PENDING: "Ausstehend" },
  checked: "Geprüft",
  add: "Hinzufügen",
  checkNow: "Jetzt prüfen",
  records: "DNS-Einträge",
  recordsAbout:
    "Veröffentlichen Sie diese dort, wo das DNS der Domain verwaltet wird. Änderungen kommen oft erst nach einer Stunde an.",
  optional: "Freiwillig",
  type: "Typ",
  name: "Name",
  value: "Wert",
  found: "Stattdessen gefunden",
  purposes: {
    DKIM: "Signiert Ihre E-Mails",
    RETURN_PATH: "Nimmt Bounces an",
    SPF: "Erlaubt den Server",
    DMARC: "Sagt Empfängern, was mit gefälschten E-Mails geschehen soll",
    LINK: "Ihr Name in Links"
  },
  recordStates: { VERIFIED: "Gefunden", PENDING: "Noch nicht da", MISMATCH: "Anderer Wert gefunden" },
  elsewhere: "Ein anderes Projekt hat diese Domain verifiziert.",
  failed: (count) =>
    plural(count, {
      one: "1 Prüfung ist in Folge fehlgeschlagen.",
      other: `${count} Prüfungen sind in Folge fehlgeschlagen.`
    }),
  verifiedAt: "Verifiziert",
  health: "Anforderungen der Postfachanbieter",
  healthAbout:
    "Was Gmail, Yahoo und Outlook von allen verlangen, die viele E-Mails senden. Das DNS wird täglich abgefragt.",
  askDns: "DNS jetzt abfragen",
  asked: "DNS abgefragt",
  ready: "Bereit",
  isReady: "Alles erfüllt",
  notReady: "Etwas ist nicht erfüllt",
  checkStates: {
    PASS: "Erfüllt",
    WARN: "Verbesserbar",
    FAIL: "Nicht erfüllt",
    UNKNOWN: "Nicht bekannt",
    NONE: "Nicht vorhanden"
  },
  checks: {
    dkim: "DKIM-Signatur",
    dkim_key: "Länge des Schlüssels",
    alignment: "Ausrichtung (Alignment)",
    spf: "SPF",
    dmarc_record: "DMARC-Eintrag",
    dmarc_policy: "DMARC-Richtlinie",
    dmarc_reports: "DMARC-Berichte",
    one_click: "Abmeldung mit einem Klick",
    complaint_rate: "Beschwerden",
    bounce_rate: "Bounces",
    volume: "Menge",
    authentication: "Antworten der Anbieter",
    tls: "TLS",
    reverse_dns: "Reverse DNS",
    replies: "Antworten auf Ihre E-Mails",
    bimi: "Logo (BIMI)"
  },
  sources: "Wer mit dieser Domain sendet",
  sourcesAbout:
    "Nach den DMARC-Berichten der letzten 30 Tage. Jeder kann Berichte senden, deshalb dienen sie nur zur Information.",
  noReports: "Noch gibt es keine Berichte. Sie kommen ein bis zwei Tage nach Veröffentlichung des DMARC-Eintrags.",
  source: "Quelle",
  signed: "Signiert",
  byUs: "Von diesem Dienst",
  byOthers: "Von anderen",
  messages: "E-Mails",
  passed: "Bestanden",
  failedMails: "Nicht bestanden",
  linkHost: "Linkhost",
  linkAbout: "Ein Name unter dieser Domain, der in den Links ihrer E-Mails anstelle des Servers steht.",
  linkStates: { PENDING: "Ausstehend", ACTIVE: "Aktiv", FAILING: "Gestört" },
  save: "Speichern",
  saved: "Gespeichert.",
  remove: "Domain entfernen",
  removeAbout: (domain) =>
    `E-Mails von ${domain} werden ab jetzt abgelehnt. Kampagnen und Workflows, die von dort senden, halten an.`,
  removed: "Die Domain ist entfernt.",

  providers: "Anbieter",
  providersAbout: "Wohin Ihre E-Mails gingen: Ergebnisse nach dem Betreiber des Postfachs.",
  noProviders: "In diesem Zeitraum wurde keine E-Mail gesendet.",
  provider: "Anbieter",
  range: "Zeitraum",
  ranges: { "7": "7 Tage", "30": "30 Tage", "90": "90 Tage" },
  sent: "Gesendet",
  delivered: "Zugestellt",
  deferred: "Verzögert",
  opened: "Geöffnet",
  clicked: "Geklickt",
  bounced: "Unzustellbar",
  complained: "Beschwerden",

  suppressions: "Sperrliste",
  noSuppressions:
    "Adressen hier erhalten keine E-Mails: Sie waren endgültig unzustellbar, haben sich beschwert oder wurden von Hand eingetragen.",
  search: "Adresse",
  reason: "Grund",
  anyReason: "Jeder Grund",
  reasons: { HARD_BOUNCE: "Endgültiger Bounce", COMPLAINT: "Beschwerde", MANUAL: "Von Hand eingetragen" },
  address: "Adresse",
  erased: "(gelöscht)",
  since: "Seit",
  cause: "Auslösende E-Mail",
  openMail: "Öffnen",
  note: "Notiz",
  addAddresses: "Adressen eintragen",
  addresses: "Adressen",
  addressesHelp: "Eine pro Zeile, höchstens 1.000.",
  added: (count) => plural(count, { one: "1 Adresse ist gesperrt.", other: `${count} Adressen sind gesperrt.` }),
  lift: "Aufheben",
  liftAbout: (address) =>
    `${address} erhält wieder E-Mails. Bei einem neuen Bounce oder einer neuen Beschwerde kommt die Adresse zurück auf die Liste, und Ihre Reputation leidet.`,
  lifted: (address) => `${address} erhält wieder E-Mails.`,
  export: "Exportieren",
  exporting: (size) => `Export läuft: ${size}`
}

export default german
