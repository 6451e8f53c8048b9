import { wordsOf } from "../app/Words.ts"

export const english = {
  cancel: "Cancel",
  close: "Close",
  confirm: "Confirm",
  copied: "Copied",
  copy: (name: string) => `Copy ${name}`,
  clear: "Clear",
  clearFilters: "Clear filters",
  nothingFits: "Nothing matches these filters.",
  typeToConfirm: (text: string) => `Type ${text} to confirm`,
  notTheName: (text: string) => `This is not ${text}.`,
  remove: (name: string) => `Remove ${name}`,
  search: "Search",
  tryAgain: "Try again",
  requestId: "Request id",
  gone: "It was deleted, or it belongs to another project.",
  undo: "Undo",
  more: "More actions",
  loading: "Loading",
  loadMore: "Load more",
  needsRole: (role: string) => `This needs the role ${role}.`,
  whoHasIt: (people: ReadonlyArray<string>) =>
    people.length === 0
      ? "An administrator of the project can change your role."
      : `Ask ${new Intl.ListFormat("en", { type: "disjunction" }).format(people.slice(0, 3))}.`,
  isDisabled: "This project is disabled: it can be read but not changed.",
  yours: (role: string) => `Your role is ${role}.`,
  showTable: "Show as table",
  showChart: "Show as chart",
  select: "Select",
  selectRow: (name: string) => `Select ${name}`,
  selected: (count: number) => `${count} selected`,
  clearSelection: "Clear selection",
  newRows: (count: number) => `${count} new`,
  yes: "Yes",
  no: "No",
  none: "None",
  showCode: "Show code",
  codeAbout: "The same action as code. Keep a key of the project in the variable POSTHORN_KEY.",
  curl: "curl",
  client: "TypeScript",
  command: "Command line",
  onlyOnce: (name: string) => `${name}: it is shown only now. Keep it in a safe place.`,
  show: "Show",
  hide: "Hide",
  download: "Download",
  save: "Save",
  saved: "Saved.",
  days: (count: number) => (count === 1 ? "1 day" : `${count} days`)
}

export const words = wordsOf(english, { de: () => import("./words.de.ts") })
