import type { english } from "./words.ts"

const german: typeof english = {
  title: "Ereignisse",
  about:
    "Ihre Anwendung erfasst, was Menschen tun. Ereignisse starten Workflows und bestimmen, wen eine Kampagne erreicht.",
  source: "Quelle",
  sources: { tracked: "Von Ihnen erfasst", system: "Vom Dienst", all: "Alle" },
  name: "Name",
  count: "Anzahl",
  people: "Personen",
  last: "Zuletzt",
  range: "Zeitraum",
  ranges: { "7": "7 Tage", "30": "30 Tage", "90": "90 Tage" },
  question: "Ereignisse pro Tag",
  zone: (zone) => `Tage in ${zone}`,
  recent: "Letzte Ereignisse",
  contact: "Kontakt",
  data: "Daten",
  time: "Zeit",
  usage: "Verwendet von",
  unused: "Nichts verwendet es.",
  segments: "Segmente",
  campaigns: "Kampagnen",
  workflows: "Workflows",
  delete: "Löschen",
  deleteAbout: (name) => `Alle Ereignisse ${name} werden gelöscht. Das lässt sich nicht rückgängig machen.`,
  deleted: "Die Ereignisse sind gelöscht.",
  inUse: "Das Ereignis wird verwendet und kann deshalb nicht gelöscht werden."
}

export default german
