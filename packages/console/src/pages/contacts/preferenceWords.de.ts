import type { english } from "./preferenceWords.ts"

const german: typeof english = {
  topics: "Themen",
  noTopics: "Das Projekt hat noch kein Thema.",
  takes: "Der Kontakt bezieht diese E-Mails zurzeit.",
  takesNot: "Der Kontakt bezieht diese E-Mails zurzeit nicht.",
  unset: (fallback) => `Keine Angabe (${fallback})`,
  defaults: { subscribed: "bezieht sie", unsubscribed: "bezieht sie nicht" },
  states: { subscribed: "Hat zugestimmt", unsubscribed: "Hat abgelehnt", pending: "Wurde um Bestätigung gebeten" },
  saved: "Gespeichert.",
  pause: "Pause",
  noPause: "Marketing-E-Mails sind nicht pausiert.",
  pausedUntil: "Marketing-E-Mails sind pausiert bis",
  pauseFor: (days) => `${days} Tage pausieren`,
  endPause: "Pause beenden",
  optIns: "Bestätigung per E-Mail",
  neverAsked: "Der Kontakt wurde nie um Bestätigung gebeten.",
  ask: "Um Bestätigung bitten",
  askAgain: "Erneut bitten",
  asked: "Der Kontakt wird per E-Mail gefragt.",
  cancel: "Bitte zurückziehen",
  cancelled: "Die Bitte ist zurückgezogen.",
  askedAt: "Gefragt",
  state: "Status",
  optInStates: {
    PENDING: "Wartet auf Antwort",
    CONFIRMED: "Bestätigt",
    DECLINED: "Abgelehnt",
    EXPIRED: "Abgelaufen",
    CANCELLED: "Zurückgezogen"
  },
  what: "Wofür",
  marketing: "Marketing-E-Mails",
  mails: "E-Mails",
  ends: "Endet"
}

export default german
