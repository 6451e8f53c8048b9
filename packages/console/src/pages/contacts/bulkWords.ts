import { plural, wordsOf } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"

const contacts = (count: number) => plural(count, { one: "1 contact", other: `${numberText(count)} contacts` })

export const english = {
  title: "Contacts",
  operations: {
    subscribe: "Subscribe",
    unsubscribe: "Unsubscribe",
    "set-topics": "Set a topic",
    "set-data": "Set data",
    "add-to-segment": "Add to segment",
    "remove-from-segment": "Remove from segment",
    delete: "Delete"
  },
  selectAll: (count: number | null) =>
    count === null ? "Select all that match" : `Select all ${numberText(count)} that match`,
  segment: "Segment",
  chooseSegment: "Choose a segment",
  noSegments: "There is no static segment yet.",
  topic: "Topic",
  chooseTopic: "Choose a topic",
  noTopics: "The project has no topic yet.",
  topicState: "What they said",
  topicStates: { subscribed: "Yes", unsubscribed: "No", unset: "Nothing" },
  field: "Field",
  fieldHelp: "Templates and conditions use it as data.<name>.",
  how: "Change",
  kinds: {
    string: "Set a text",
    number: "Set a number",
    boolean: "Set yes or no",
    json: "Set a JSON value",
    none: "Remove the field"
  },
  value: "Value",
  flags: { true: "Yes", false: "No" },
  deleteAbout: "The contacts, their data and their events are deleted. This cannot be undone.",
  reaches: (count: number) => `${contacts(count)} will be changed.`,
  examples: "For example",
  typeCount: (count: string) => `Type the number of contacts, ${count}, to confirm`,
  cancel: "Cancel",
  working: (percent: number) => `${percent} %`,
  changed: (count: number) => `${contacts(count)} changed.`,
  failed: (count: number) => `${contacts(count)} failed.`
}

export const bulkWords = wordsOf(english, { de: () => import("./bulkWords.de.ts") })
