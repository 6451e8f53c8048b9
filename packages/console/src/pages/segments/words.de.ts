import { plural } from "../../app/Words.ts"
import type { english } from "./words.ts"

const german: typeof english = {
  segments: "Segmente",
  about:
    "Ein Segment ist ein Teil Ihrer Kontakte: alle, die eine Bedingung erfüllen, oder alle, die Sie selbst benennen.",
  newSegment: "Neues Segment",
  search: "Segmente suchen",
  type: "Art",
  anyType: "Alle Arten",
  types: { DYNAMIC: "Dynamisch", STATIC: "Statisch" },
  typeHelp: {
    DYNAMIC: "Die Kontakte, die eine Bedingung erfüllen, jetzt und später.",
    STATIC: "Die Kontakte, die Sie hinzufügen und entfernen."
  },
  name: "Name",
  description: "Beschreibung",
  members: "Mitglieder",
  tracked: "Verfolgt",
  yes: "Ja",
  no: "Nein",
  changed: "Geändert",
  create: "Segment anlegen",
  save: "Speichern",
  saved: "Gespeichert.",
  delete: "Löschen",
  deleted: (name) => `${name} ist gelöscht.`,
  notDeleted: (name, users) => `${name} ist nicht gelöscht, weil es verwendet wird: ${users}.`,
  failedDelete: (name, reason) => `${name} ist nicht gelöscht. ${reason}`,
  usedBy: "Dieses Segment ist nicht gelöscht, weil es verwendet wird. Ändern Sie das zuerst.",
  users: { campaigns: "Kampagne", segments: "Segment", workflows: "Workflow" },
  missing: "Es fehlt noch etwas. Was, steht an den Feldern.",
  nameMissing: "Geben Sie dem Segment einen Namen.",
  track: "Beitritte und Austritte verfolgen",
  trackHelp: "Jeder Beitritt und jeder Austritt ist ein Ereignis, das einen Workflow starten kann.",
  silent: "Kontakte, die jetzt passen, treten ohne Ereignis bei",
  joins: "Beitritte",
  leaves: "Austritte",
  id: "ID",
  created: "Angelegt",
  facts: "Angaben",
  tabs: "Teile des Segments",
  definition: "Definition",
  refresh: "Neu zählen",
  refreshed: (count) => plural(count, { one: "1 Mitglied.", other: `${count} Mitglieder.` }),
  compute: "Jetzt berechnen",
  computed: (added, removed) => `${added} beigetreten, ${removed} ausgetreten.`,
  conflict:
    "Dieses Segment wurde geändert, während Sie daran gearbeitet haben. Vergleichen Sie beide Fassungen und wählen Sie dann.",
  mine: "Ihre",
  theirs: "Die andere",
  keepMine: "Meine behalten",
  takeTheirs: "Die andere übernehmen",
  condition: "Bedingung",
  searchMembers: "Mitglieder nach Adresse suchen",
  noMembers: {
    DYNAMIC: "Kein Kontakt erfüllt die Bedingung zurzeit.",
    STATIC: "Dieses Segment hat keine Mitglieder. Fügen Sie Kontakte über ihre Adressen hinzu."
  },
  address: "Adresse",
  subscribed: "Abonniert",
  since: "Kontakt seit",
  removeMember: "Entfernen",
  removing: (email) => `${email} ist entfernt.`,
  addMembers: "Mitglieder hinzufügen",
  removeMembers: "Mitglieder entfernen",
  addresses: "Adressen",
  addressesHelp:
    "Tippen oder fügen Sie sie ein: zeilenweise, mit Kommas oder als ganze Spalte einer Tabelle. Eine Datei kann CSV oder Text sein.",
  file: "Datei mit Adressen",
  found: (count) => plural(count, { one: "1 Adresse", other: `${count} Adressen` }),
  noAddress: "Hier steht keine Adresse.",
  createMissing: "Für jede Adresse ohne Kontakt einen anlegen",
  createSubscribed: "Angelegte Kontakte sind abonniert",
  progress: "Fortschritt",
  done: (done, all) => `${done} von ${all}`,
  added: (added, created, already) =>
    `${added} hinzugefügt, davon ${created} angelegt. ${already} waren schon Mitglied.`,
  removed: (count) => plural(count, { one: "1 Mitglied entfernt.", other: `${count} Mitglieder entfernt.` }),
  notFound: (count) =>
    plural(count, { one: "1 Adresse wurde nicht gefunden:", other: `${count} Adressen wurden nicht gefunden:` }),
  andMore: (count) => `und ${count} weitere`,
  stopped: (done) => `Nach ${done} Adressen angehalten. Die davor sind erledigt.`
}

export default german
