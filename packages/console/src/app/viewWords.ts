import { wordsOf } from "./Words.ts"

export const english = {
  views: "Views",
  all: "Everything",
  save: "Save this view",
  change: (name: string) => `Change ${name}`,
  update: (name: string) => `Keep these filters in ${name}`,
  remove: (name: string) => `Delete ${name}`,
  shared: (name: string) => `${name}, shared`,
  sharedBy: (name: string, who: string) => `${name}, shared by ${who}`,
  key: "a key",
  loading: "Loading",
  failed: "Views could not be read.",
  name: "Name",
  share: "All members of the project see it",
  saveButton: "Save",
  saved: (name: string) => `${name} is saved.`,
  removed: (name: string) => `${name} is deleted.`,
  saveTitle: "Save this view",
  changeTitle: "Change this view"
}

export const viewWords = wordsOf(english, { de: () => import("./viewWords.de.ts") })
