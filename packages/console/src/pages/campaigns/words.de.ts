import { plural } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"
import type { english } from "./words.ts"

const mails = (count: number) => plural(count, { one: "1 E-Mail", other: `${numberText(count)} E-Mails` })

const german: typeof english = {
  title: "Kampagnen",
  views: "Kampagnen als Liste oder Kalender",
  view: { list: "Liste", calendar: "Kalender" },
  monthBefore: "Monat davor",
  monthAfter: "Monat danach",
  thisMonth: "Dieser Monat",
  inMonth: (count, month) =>
    plural(count, {
      one: `1 Kampagne ist für ${month} geplant.`,
      other: `${numberText(count)} Kampagnen sind für ${month} geplant.`
    }),
  calendarOf: (month, zone) => `Geplante Kampagnen im ${month}, Zeiten in ${zone}`,
  calendarCut: (count) => `Der Kalender zeigt höchstens ${numberText(count)} Kampagnen.`,
  empty: "Eine Kampagne ist eine E-Mail an viele Kontakte.",
  newCampaign: "Neue Kampagne",
  create: "Anlegen",
  search: "Name, Betreff oder Absender",
  name: "Name",
  state: "Status",
  anyState: "Jeder Status",
  states: {
    DRAFT: "Entwurf",
    SCHEDULED: "Geplant",
    SENDING: "Wird gesendet",
    PAUSED: "Pausiert",
    SENT: "Gesendet",
    CANCELLED: "Abgebrochen"
  },
  audience: "Zielgruppe",
  audiences: { ALL: "Alle Kontakte", SEGMENT: "Ein Segment", FILTERED: "Eine Bedingung" },
  recipients: "Empfänger",
  sent: "Gesendet",
  humanOpens: "Öffnungen",
  humanClicks: "Klicks",
  changed: "Geändert",
  start: "Beginnen mit",
  blank: "Einem schlichten Brief",
  letter: "<p>Guten Tag,</p>\n<p>schreiben Sie hier Ihre E-Mail.</p>\n",

  edit: "Bearbeiten",
  duplicate: "Duplizieren",
  remove: "Löschen",
  removed: (name) => `${name} ist gelöscht.`,
  content: "Inhalt",
  delivery: "Versand",
  checks: "Prüfungen",
  from: "Von",
  fromHelp: "Die Domain dieser Adresse muss verifiziert sein.",
  fromName: "Name des Absenders",
  replyTo: "Antwort an",
  subject: "Betreff",
  subjectHelp: "Platzhalter wie {{firstName}} werden für jeden Kontakt ausgefüllt.",
  preheader: "Preheader",
  preheaderHelp: "Posteingänge zeigen ihn neben dem Betreff.",
  archive: "Nach dem Versand im öffentlichen Archiv zeigen",
  inArchive: "Archiv",
  type: "Typ",
  types: {
    MARKETING: "Marketing: abonnierte Kontakte, mit Fußzeile",
    HEADLESS: "Ohne Fußzeile: abonnierte Kontakte",
    TRANSACTIONAL: "Transaktional: jeder Kontakt"
  },
  format: "Format",
  formats: { HTML: "HTML", MJML: "MJML" },
  body: "E-Mail",
  preview: "Vorschau",
  segment: "Segment",
  chooseSegment: "Segment wählen",
  segmentName: (name, count) => `${name} (${numberText(count)})`,
  reaches: (count) =>
    plural(count, {
      one: "1 Kontakt erhält die E-Mail.",
      other: `${numberText(count)} Kontakte erhalten die E-Mail.`
    }),
  notCounted: "Das Zählen dauert zu lange. Die genaue Zahl steht fest, wenn der Versand beginnt.",
  counting: "Wird gezählt.",
  leftOut: {
    unsubscribed: (count) =>
      plural(count, {
        one: "1 ist ausgelassen: nicht abonniert.",
        other: `${numberText(count)} sind ausgelassen: nicht abonniert.`
      }),
    topicUnsubscribed: (count) =>
      plural(count, {
        one: "1 ist ausgelassen: bezieht das Thema nicht.",
        other: `${numberText(count)} sind ausgelassen: beziehen das Thema nicht.`
      }),
    snoozed: (count) =>
      plural(count, {
        one: "1 ist ausgelassen: wünscht vorübergehend keine E-Mails.",
        other: `${numberText(count)} sind ausgelassen: wünschen vorübergehend keine E-Mails.`
      }),
    suppressed: (count) =>
      plural(count, {
        one: "1 ist ausgelassen: steht auf der Sperrliste.",
        other: `${numberText(count)} sind ausgelassen: stehen auf der Sperrliste.`
      })
  },
  when: "Wann",
  now: "Jetzt",
  later: "Zu einem Zeitpunkt",
  time: "Zeit",
  timeHelp: (zone) => `In Ihrer Zeitzone, ${zone}.`,

  saved: "Gespeichert",
  saving: "Wird gespeichert",
  unsaved: "Geändert, noch nicht gespeichert",
  kept: (fields) => `Nicht gespeichert: Es fehlt ${fields}. Der Text bleibt in diesem Browser erhalten.`,
  notSaved: "Nicht gespeichert. Der Text bleibt in diesem Browser erhalten.",
  missing: (fields) => `Es fehlt: ${fields}.`,
  conflict: "Diese Kampagne wurde inzwischen anderswo geändert.",
  mine: "Meine",
  theirs: "Die andere",
  conflictAbout: "Vergleichen Sie beide und wählen Sie dann. Die andere Fassung wird nicht aufbewahrt.",
  keepMine: "Meine behalten",
  takeTheirs: "Die andere übernehmen",
  locked: "Diese Kampagne kann nicht mehr geändert werden.",
  openCampaign: "Kampagne öffnen",

  senderOk: (domain) => `${domain} ist verifiziert.`,
  senderBad: (domain) => `${domain} ist nicht verifiziert.`,
  noDomain: "Noch ist keine Domain verifiziert.",
  openDomains: "Domains öffnen",
  size: (kilobytes, limit) => `${kilobytes} kB von ${limit} kB`,
  clipped: "Postfachanbieter schneiden ab, was länger ist.",
  nobody: "Niemand würde die E-Mail erhalten.",
  unset: (names) => `Kein Wert: ${names}.`,
  end: (time, rate, isSet) =>
    isSet
      ? `Endet etwa ${time}, bei der Rate des Projekts von ${rate} E-Mails pro Sekunde.`
      : `Endet etwa ${time}, im Tempo der letzten Kampagne mit ${rate} E-Mails pro Sekunde.`,
  allSet: "Alles Nötige ist vorhanden.",

  sendTest: "Test senden",
  testTitle: "Test senden",
  testHelp: "Ein Kontakt oder ein Mitglied des Projekts.",
  to: "An",
  send: "Senden",
  testSent: (email) => `An ${email} gesendet.`,
  checkAndSend: "Prüfen und senden",
  sendTitle: "Diese Kampagne senden",
  sendLeave: "Der Versand beginnt 8 Sekunden, nachdem Sie Senden gedrückt haben.",
  scheduleLeave: (time) => `Der Versand beginnt ${time}.`,
  sends: (count) =>
    count === null
      ? "Die Kampagne wird gesendet."
      : plural(count, { one: "1 E-Mail wird gesendet.", other: `${mails(count)} werden gesendet.` }),
  schedules: "Die Kampagne wird geplant.",
  undone: "Nichts wurde gesendet.",
  refused: (message) => `Nicht gesendet. ${message}`,
  starting: "Beginnt in wenigen Sekunden",
  preparing: "Die E-Mails werden vorbereitet",

  progress: "Fortschritt",
  progressText: (done, total) => `${numberText(done)} von ${numberText(total)}`,
  rate: "Rate",
  perSecond: (rate) => `${rate} E-Mails pro Sekunde`,
  timeLeft: "Verbleibende Zeit",
  seconds: (count) => `~${plural(count, { one: "1 Sekunde", other: `${numberText(count)} Sekunden` })}`,
  minutes: (count) => `~${plural(count, { one: "1 Minute", other: `${numberText(count)} Minuten` })}`,
  pause: "Pausieren",
  resume: "Fortsetzen",
  paused: "Die Kampagne ist pausiert.",
  resumed: "Die Kampagne geht weiter.",
  cancel: "Kampagne abbrechen",
  cancelAbout:
    "Wartende E-Mails werden nicht gesendet. Gesendete bleiben gesendet. Das lässt sich nicht rückgängig machen.",
  cancelled: "Die Kampagne ist abgebrochen.",
  sendNow: "Jetzt senden",

  facts: "Angaben",
  id: "ID",
  scheduledFor: "Geplant für",
  started: "Begonnen",
  ended: "Beendet",
  reasons: {
    PROJECT_DISABLED: "Das Projekt wurde gesperrt.",
    DOMAIN_NOT_VERIFIED: "Die Domain des Absenders ist nicht mehr verifiziert.",
    BILLING_LIMIT: "Die Grenze des Tarifs wurde erreicht."
  },
  funnel: "Wie weit kam die Kampagne?",
  inAll: "Empfänger",
  delivered: "Zugestellt",
  opened: "Geöffnet",
  converted: "Ziel erreicht",
  clicked: "Geklickt",
  trouble: "Was kam nicht an?",
  bounced: "Unzustellbar",
  complained: "Beschwerden",
  unsubscribed: "Abgemeldet",
  failed: "Fehlgeschlagen",
  suppressed: "Gesperrt",
  ambiguous: "Ungewiss",
  cancelledMails: "Abgebrochen",
  byMachines: "Nur von Maschinen geöffnet",
  openedByPeople: "Von Personen geöffnet",
  clickedByPeople: "Von Personen geklickt",
  hours: "Stunde für Stunde",
  hoursQuestion: "Wann haben Personen reagiert?",
  noHours: "Noch ist nichts geschehen.",
  links: "Links",
  noLinks: "Diese E-Mail hat keine Links.",
  link: "Link",
  clicks: "Klicks",
  people: "Personen",
  whoClicked: (count, url) => `${count} haben ${url} angeklickt`,
  otherLinks: "Andere Links",
  providers: "Postfachanbieter",
  provider: "Anbieter",
  deferred: "Verzögert",
  noProviders: "Noch wurde keine E-Mail versucht.",
  address: "Adresse",
  reason: "Grund",
  leftOutReasons: {
    UNSUBSCRIBED: "Nicht abonniert",
    TOPIC_UNSUBSCRIBED: "Bezieht das Thema nicht",
    SNOOZED: "Wünscht vorübergehend keine E-Mails",
    QUIET_HOURS: "Ruhezeit",
    FREQUENCY_CAP: "Hat so viele E-Mails wie erlaubt erhalten",
    HARD_BOUNCE: "Früher unzustellbar",
    COMPLAINT: "Hat sich früher beschwert",
    MANUAL: "Von Hand gesperrt"
  },
  deletedContact: "(gelöschter Kontakt)",
  searchRecipients: "Adresse",
  noRecipients: "Die Empfänger erscheinen, wenn der Versand beginnt.",
  retryFailed: "Fehlgeschlagene erneut senden",
  retryAbout: (count) =>
    plural(count, { one: "1 E-Mail wird erneut versucht.", other: `${mails(count)} werden erneut versucht.` }),
  includeAmbiguous: (count) =>
    `Auch ${mails(count)} mit ungewisser Zustellung. Empfänger erhalten sie vielleicht doppelt.`,
  retried: (count) =>
    plural(count, { one: "1 E-Mail wird erneut versucht.", other: `${count} E-Mails werden erneut versucht.` }),
  followUp: "Nachfassen",
  followUpTitle: "Empfängern erneut schreiben",
  who: "Wer",
  whoReacted: {
    ALL: "Alle, an die die E-Mail ging",
    NOT_OPENED: "Wer sie nicht geöffnet hat",
    NOT_CLICKED: "Wer nicht geklickt hat",
    OPENED: "Wer sie geöffnet hat",
    CLICKED: "Wer geklickt hat",
    NOT_CONVERTED: "Wer das Ziel nicht erreicht hat"
  },
  recipientsOf: "Nur Empfänger von",
  approval: "Freigabe",
  approvals: { NONE: "Keine", REQUESTED: "Erbeten", APPROVED: "Freigegeben", REJECTED: "Abgelehnt" },
  requestApproval: "Um Freigabe bitten",
  approvalRequested: "Die Administratoren wurden gebeten.",
  approve: "Freigeben",
  approved: "Die Kampagne ist freigegeben.",
  reject: "Ablehnen",
  rejectTitle: "Diese Kampagne ablehnen",
  rejected: "Die Kampagne ist abgelehnt.",
  note: "Notiz",
  noteHelp: "Warum. Der Autor liest es.",
  print: "Drucken",
  csv: "CSV"
}

export default german
