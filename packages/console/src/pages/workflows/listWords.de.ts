import type { english } from "./listWords.ts"

const german: typeof english = {
  title: "Workflows",
  about: "Ein Workflow sendet einem Kontakt Schritt für Schritt E-Mails, nachdem etwas geschehen ist.",
  add: "Neuer Workflow",
  name: "Name",
  state: "Status",
  trigger: "Auslöser",
  live: "Laufende Ausführungen",
  started: "Gestartet",
  changed: "Geändert",
  anyState: "Jeder Status",
  anyTrigger: "Jeder Auslöser",
  search: "Name oder Beschreibung suchen",
  states: { active: "Aktiv", disabled: "Inaktiv" },
  enabledAbout: "Neue Ausführungen starten.",
  disabledAbout: "Keine neue Ausführung startet. Laufende gehen weiter.",
  triggers: { EVENT: "Ereignis", MANUAL: "Von Hand", SCHEDULE: "Zeitplan" },
  noEvent: "Kein Ereignis gewählt",
  triggerSummary: {
    event: (name) => `Bei ${name}`,
    manual: "Von Hand oder über die API gestartet",
    schedule: (cron) => `Nach Zeitplan ${cron}`
  }
}

export default german
