import { numberText } from "../../kit/Text.tsx"
import type { english } from "./warmupWords.ts"

const german: typeof english = {
  warmup: "Aufwärmen",
  about:
    "Eine neue Domain sendet anfangs wenige E-Mails am Tag, dann täglich mehr. Massen-E-Mail über der Grenze des Tages wartet.",
  begin: "Diese Domain aufwärmen",
  change: "Ändern",
  title: "Diese Domain aufwärmen",
  preset: "Aufwärmplan",
  presets: {
    STANDARD: "Standard: 50 E-Mails am ersten Tag, 140.000 am 17.",
    FAST: "Schnell: 200 E-Mails am ersten Tag, 220.000 am 13.",
    CUSTOM: "Eigene Grenzen"
  },
  caps: "Grenze jedes Tages",
  capsHelp: "Durch Kommas getrennt: 50, 100, 200.",
  startsOn: "Erster Tag",
  today: "Leer: heute.",
  save: "Speichern",
  saved: "Die Domain wird aufgewärmt.",
  state: "Status",
  states: { ACTIVE: "Aktiv", PAUSED: "Angehalten", COMPLETED: "Abgeschlossen" },
  transport: "Transport",
  step: "Stufe",
  sentToday: "Heute gesendet",
  ofCap: (sent, cap) => (cap === null ? numberText(sent) : `${numberText(sent)} von ${numberText(cap)}`),
  freeNow: "Jetzt frei",
  waiting: "Wartet",
  completesOn: "Letzte Stufe",
  pause: "Aufwärmen anhalten",
  paused: "Massen-E-Mail der Domain wartet.",
  pausedAbout: "Massen-E-Mail der Domain wartet, bis Sie fortsetzen. Dieselbe Stufe beginnt am nächsten Tag.",
  resume: "Aufwärmen fortsetzen",
  resumed: "Das Aufwärmen geht am nächsten Tag weiter.",
  end: "Aufwärmen beenden",
  endAbout: "Der Plan und seine Tage werden gelöscht. Wartende E-Mails werden sofort gesendet.",
  ended: "Das Aufwärmen ist beendet.",
  curve: "Wie viel ging jeden Tag hinaus?",
  cap: "Grenze",
  sent: "Gesendet",
  days: "Tage des Aufwärmens",
  day: "Tag",
  bounced: "Unzustellbar",
  complained: "Beschwerden",
  deferred: "Verzögert",
  result: "Ergebnis",
  results: {
    clean: "Sauber",
    held: "Wiederholt: zu viel kam zurück",
    unused: "Wiederholt: wenig gesendet",
    paused: "Angehalten"
  }
}

export default german
