import type { english } from "./paletteWords.ts"

const german: typeof english = {
  palette: "Gehe zu",
  paletteHelp: "Seite, Name, Adresse oder ID",
  nothingFound: "Nichts trägt diesen Namen.",
  records: {
    contact: "Kontakt",
    campaign: "Kampagne",
    template: "Vorlage",
    partial: "Baustein",
    segment: "Segment",
    workflow: "Workflow",
    domain: "Domain",
    email: "E-Mail"
  },
  keys: "Tasten",
  keyNames: {
    palette: "Zu einer Seite oder einem Eintrag gehen",
    search: "Suche der Seite",
    help: "Alle Tasten",
    close: "Das innerste Element schließen"
  }
}

export default german
