import { plural, wordsOf } from "../../app/Words.ts"
import { english as sentences } from "./sentenceWords.ts"

export const sentenceWords = wordsOf(sentences, { de: () => import("./sentenceWords.de.ts") })

export const english = {
  condition: "Condition",
  everyone: "Every contact matches. Add a condition to choose some of them.",
  logic: "Match",
  logics: { AND: "All groups match", OR: "Any group matches" },
  joins: { AND: "and", OR: "or" },
  group: (place: string) => `Group ${place}`,
  filter: (place: string) => `Condition ${place}`,
  addFilter: "Add condition",
  addGroup: "Add group",
  addNested: "Add nested group",
  removeFilter: (place: string) => `Remove condition ${place}`,
  removeThisGroup: "Remove group",
  removeGroup: (place: string) => `Remove group ${place}`,
  subject: "About",
  subjects: {
    contact: "Contact field",
    event: "Event",
    mail: "Mail",
    segment: "Segment",
    variable: "Variable"
  },
  field: "Field",
  eventName: "Name of the event",
  variableName: "Variable, such as event.total",
  activity: "What happened to the mail",
  activities: {
    sent: "Sent",
    delivered: "Delivered",
    opened: "Opened",
    clicked: "Clicked",
    bounced: "Bounced",
    complained: "Complained about"
  },
  segment: "Segment",
  chooseSegment: "Choose a segment",
  deletedSegment: "A segment that is not here",
  test: (place: string) => `Test ${place} of its data`,
  testPath: "Field of its data",
  addTest: "Test its data",
  removeTest: (place: string) => `Remove test ${place}`,
  operator: "Comparison",
  operators: {
    equals: "is",
    notEquals: "is not",
    contains: "contains",
    notContains: "does not contain",
    startsWith: "starts with",
    endsWith: "ends with",
    in: "is one of",
    notIn: "is none of",
    greaterThan: "is above",
    greaterThanOrEqual: "is at least",
    lessThan: "is below",
    lessThanOrEqual: "is at most",
    between: "is between",
    exists: "is set",
    notExists: "is not set",
    within: "is in the last",
    olderThan: "is more than … ago",
    triggered: "happened",
    triggeredWithin: "happened in the last",
    notTriggered: "never happened",
    notTriggeredWithin: "did not happen in the last",
    triggeredOlderThan: "last happened more than … ago",
    memberOfSegment: "is a member",
    notMemberOfSegment: "is not a member"
  },
  timeOperators: {
    greaterThan: "is after",
    greaterThanOrEqual: "is at or after",
    lessThan: "is before",
    lessThanOrEqual: "is at or before"
  },
  value: "Value",
  values: "Values, one a line",
  low: "From",
  high: "To",
  amount: "Amount",
  unit: "Unit",
  units: { minutes: "minutes", hours: "hours", days: "days", weeks: "weeks", months: "months" },
  times: "At least this often",
  atLeast: "at least",
  timesUnit: (count: number) => plural(count, { one: "time", other: "times" }),
  type: "Kind of value",
  types: {
    text: "Text",
    number: "Number",
    flag: "Yes or no",
    day: "Day (UTC)",
    moment: "Time (UTC)",
    nothing: "Nothing",
    json: "JSON"
  },
  flags: { true: "true", false: "false" },
  notJson: "This is not JSON.",
  gaps: {
    field: "Say what the condition is about.",
    value: "Give a value.",
    amount: "Give an amount above 0, at most 100,000.",
    order: "The first value is above the second.",
    empty: "A group needs a condition."
  },
  editJson: "Edit as JSON",
  editForm: "Edit as form",
  json: "Condition as JSON",
  jsonHelp: "The condition as the API takes it. The form follows while the text is a condition.",
  notTree: "This is not a condition. Its groups have filters with field, operator and value.",
  matches: "Who matches",
  count: (count: string, isOne: boolean) => (isOne ? "1 contact matches" : `${count} contacts match`),
  counting: "Counting",
  stillCounting: "Still counting",
  notCounted: "Not counted: it takes more than 5 seconds.",
  incomplete: (count: number) =>
    plural(count, {
      one: "The count follows when the condition is complete: 1 thing is missing.",
      other: `The count follows when the condition is complete: ${count} things are missing.`
    }),
  examples: "For example",
  nobody: "No contact matches now."
}

export const conditionWords = wordsOf(english, { de: () => import("./words.de.ts") })
