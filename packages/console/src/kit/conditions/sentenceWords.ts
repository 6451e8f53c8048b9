/** The words of which the sentence about a condition is made. Plain data, so that it is read without a browser. */

export const english = {
  everyone: "Every contact.",
  contacts: (condition: string) => `Contacts where ${condition}.`,
  and: " and ",
  or: " or ",
  listEnd: " or ",
  missing: "(not given)",
  nothing: "nothing",
  flags: { true: "true", false: "false" },
  fields: { email: "the address", createdAt: "the time of creation", updatedAt: "the last change" },
  subscribed: "the contact is subscribed",
  unsubscribed: "the contact is not subscribed",
  units: {
    minutes: { one: "minute", other: "minutes" },
    hours: { one: "hour", other: "hours" },
    days: { one: "day", other: "days" },
    weeks: { one: "week", other: "weeks" },
    months: { one: "month", other: "months" }
  },
  values: {
    equals: (field: string, value: string) => `${field} is ${value}`,
    notEquals: (field: string, value: string) => `${field} is set and is not ${value}`,
    contains: (field: string, value: string) => `${field} contains ${value}`,
    notContains: (field: string, value: string) => `${field} is set and does not contain ${value}`,
    startsWith: (field: string, value: string) => `${field} starts with ${value}`,
    endsWith: (field: string, value: string) => `${field} ends with ${value}`,
    in: (field: string, value: string) => `${field} is ${value}`,
    notIn: (field: string, value: string) => `${field} is set and is not ${value}`,
    greaterThan: (field: string, value: string) => `${field} is above ${value}`,
    greaterThanOrEqual: (field: string, value: string) => `${field} is ${value} or above`,
    lessThan: (field: string, value: string) => `${field} is below ${value}`,
    lessThanOrEqual: (field: string, value: string) => `${field} is ${value} or below`,
    exists: (field: string) => `${field} is set`,
    notExists: (field: string) => `${field} is not set`,
    within: (field: string, span: string) => `${field} is in the last ${span}`,
    olderThan: (field: string, span: string) => `${field} is more than ${span} ago`
  },
  between: (field: string, low: string, high: string) => `${field} is between ${low} and ${high}`,
  after: (field: string, value: string) => `${field} is after ${value}`,
  before: (field: string, value: string) => `${field} is before ${value}`,
  inLast: (span: string) => ` in the last ${span}`,
  where: (tests: string) => ` (with data of which ${tests})`,
  event: {
    happened: (name: string, times: number) =>
      times === 1 ? `${name} happened` : `${name} happened at least ${times} times`,
    never: (name: string) => `${name} never happened`,
    notWithin: (name: string) => `${name} did not happen`,
    older: (name: string, span: string) => `${name} last happened more than ${span} ago`
  },
  mail: {
    happened: (done: string, times: number) =>
      times === 1 ? `a mail was ${done}` : `at least ${times} mails were ${done}`,
    never: (done: string) => `no mail was ever ${done}`,
    notWithin: (done: string) => `no mail was ${done}`,
    older: (done: string, span: string) => `a mail was last ${done} more than ${span} ago`
  },
  activities: {
    sent: "sent",
    delivered: "delivered",
    opened: "opened",
    clicked: "clicked",
    bounced: "bounced",
    complained: "complained about"
  },
  member: (name: string) => `the contact is in ${name}`,
  noMember: (name: string) => `the contact is not in ${name}`,
  segment: (name: string) => `the segment ${name}`
}

export type SentenceWords = typeof english
