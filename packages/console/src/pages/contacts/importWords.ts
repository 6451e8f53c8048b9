import { wordsOf } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"

export const english = {
  title: "Import contacts",
  contacts: "Contacts",
  steps: "Steps",
  names: { file: "File", columns: "Columns", options: "Options", check: "Check" },
  file: "CSV or TSV file",
  fileHelp: "The first line has the names of the columns. One column has the address.",
  chooseFile: "Choose a file.",
  noRows: "The file has no rows below its first line.",
  unreadable: "The file cannot be read.",
  next: "Next",
  back: "Back",
  import: "Import",
  target: (column: string) => `Target of ${column}`,
  targets: {
    skip: "Skip",
    email: "Address",
    externalId: "External id",
    subscribed: "Subscription",
    locale: "Language",
    timezone: "Time zone",
    topic: "Topic",
    data: "Data field"
  },
  topic: (column: string) => `Topic of ${column}`,
  key: (column: string) => `Field of ${column}`,
  needsKey: "A field needs a name.",
  needsEmail: "Choose the column that has the address or the external id.",
  twoEmails: "Only one column can have each of address, external id, subscription, language, time zone, and topic.",
  preview: "First rows of the file",
  segment: "Static segment",
  noSegment: "No segment",
  segmentHelp: "Every imported contact joins it.",
  consent: {
    optIn: "Contacts that the file subscribes",
    optInHelp: "Also those for which it takes a topic.",
    optIns: { skip: "Are subscribed at once", send: "Must confirm by mail" },
    choose: "Choose",
    needed: "Contacts of this project must confirm. Say whether these are asked.",
    title: "Proof of consent",
    about: "Kept with the record of each contact that the file subscribes. Leave it empty if there is none.",
    basis: "Basis",
    basisHelp: "Such as consent or contract.",
    day: "Agreed on",
    wording: "What the people read",
    wordingHelp: "The text that they agreed to."
  },
  checking: "Checking the file",
  checked: (created: number, changed: number, faulty: number) =>
    `${numberText(created)} new, ${numberText(changed)} changed, ${numberText(faulty)} faulty`,
  asked: (count: number) => `, ${numberText(count)} asked to confirm`,
  faulty: "Faulty rows",
  faultyCsv: "Faulty rows as CSV",
  faultyAbout: "Faulty rows are left out. The others are imported.",
  more: "There are more faulty rows than these.",
  line: "Line",
  address: "Address",
  fault: "Fault",
  importing: "Importing",
  rows: (count: number, perSecond: number) =>
    `${numberText(count)} rows${perSecond > 0 ? `, ${numberText(perSecond)} a second` : ""}`,
  keepOpen: "The file is still being sent. Keep this tab open until it is.",
  cancel: "Cancel import",
  done: (created: number, changed: number, faulty: number) =>
    `Imported: ${numberText(created)} new, ${numberText(changed)} changed, ${numberText(faulty)} faulty`,
  cancelled: "The import was cancelled. Rows that were imported stay.",
  failed: "A part of the import failed.",
  another: "Import another file",
  toContacts: "Open contacts",
  none: "There is no import with this id, or it is older than 30 days.",
  earlier: "Earlier imports",
  started: "Started",
  state: "State",
  states: {
    waiting: "Waiting",
    active: "Under way",
    completed: "Completed",
    failed: "Failed",
    cancelled: "Cancelled"
  },
  result: "Rows"
}

export const importWords = wordsOf(english, { de: () => import("./importWords.de.ts") })
