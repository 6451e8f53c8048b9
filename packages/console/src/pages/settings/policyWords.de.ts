import type { english } from "./policyWords.ts"

const german: typeof english = {
  save: "Versandregeln speichern",
  saved: "Gespeichert.",
  quietHours: "Ruhezeiten",
  quietAbout:
    "In dieser Zeit beginnt keine Werbe-E-Mail einer Kampagne oder eines Workflows. Transaktions-E-Mails und einzelne Sendungen warten nie.",
  hasQuietHours: "Es gibt Ruhezeiten",
  from: "Von",
  to: "Bis",
  days: "Tage, an denen sie beginnen",
  zone: "Zeitzone",
  zones: { CONTACT: "Des Kontakts", PROJECT: "Des Projekts" },
  quietAction: "E-Mails in dieser Zeit",
  actions: { WAIT: "Warten", SKIP: "Werden nicht gesendet" },
  caps: "Obergrenzen",
  capsAbout:
    "So viele Werbe-E-Mails erhält ein Kontakt höchstens in einer Zeitspanne. Einzelne Sendungen zählen mit und werden nie aufgehalten. Gezählt wird ab der ersten Obergrenze.",
  cap: (number: number) => `Obergrenze ${number}`,
  limit: "E-Mails",
  amount: "In jeweils",
  unit: "Einheit",
  units: { hours: "Stunden", days: "Tagen" },
  allMail: "Alle E-Mails",
  addCap: "Obergrenze hinzufügen",
  removeCap: (number: number) => `Obergrenze ${number} entfernen`,
  campaigns: "Kampagnen über einer Obergrenze",
  workflows: "Workflows über einer Obergrenze",
  maxWait: "Längste Wartezeit in Stunden"
}

export default german
