import { wordsOf } from "../../app/Words.ts"

export const english = {
  title: "Events",
  about: "Your application tracks what people do. Events start workflows and choose whom a campaign reaches.",
  source: "Source",
  sources: { tracked: "Tracked by you", system: "Of the service", all: "All" },
  name: "Name",
  count: "Count",
  people: "People",
  last: "Last",
  range: "Range",
  ranges: { "7": "7 days", "30": "30 days", "90": "90 days" },
  question: "Events per day",
  zone: (zone: string) => `Days in ${zone}`,
  recent: "Recent events",
  contact: "Contact",
  data: "Data",
  time: "Time",
  usage: "Used by",
  unused: "Nothing uses it.",
  segments: "Segments",
  campaigns: "Campaigns",
  workflows: "Workflows",
  delete: "Delete",
  deleteAbout: (name: string) => `All events ${name} are deleted. This cannot be undone.`,
  deleted: "The events are deleted.",
  inUse: "It is in use, so it cannot be deleted."
}

export const eventWords = wordsOf(english, { de: () => import("./words.de.ts") })
