import { plural, wordsOf } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"

const some = (count: number, one: string, other: string) =>
  plural(count, { one: `1 ${one}`, other: `${numberText(count)} ${other}` })

export const english = {
  title: "Merge with another contact",
  about: (email: string) =>
    `${email} stays, with its address and its id. The other contact goes, and what it has moves here.`,
  by: "Find it by",
  bys: { email: "Address", externalId: "Your id" },
  email: "Address of the contact that goes",
  externalId: "Your id of the contact that goes",
  find: "Show what moves",
  nobody: "There is no such contact.",
  itself: "This is the contact itself. Name another one.",
  goes: "Goes",
  stays: "Stays",
  moves: "Moves here",
  events: (count: number) => some(count, "event", "events"),
  emails: (count: number) => some(count, "mail", "mails"),
  executions: (count: number) => some(count, "run of a workflow", "runs of workflows"),
  memberships: (count: number) => some(count, "static segment that it joins", "static segments that it joins"),
  rules:
    "Data that the contact has stay as they are; what it lacks comes from the other. Of two subscriptions the stricter one holds. This cannot be undone.",
  becomesUnsubscribed: "The other contact is unsubscribed, so this one will be too.",
  type: (email: string) => `Type ${email} to confirm`,
  wrong: (email: string) => `This is not ${email}.`,
  merge: "Merge",
  cancel: "Cancel",
  merged: (email: string) => `${email} is merged into this contact.`,
  mergedInto: "This contact was merged into another one.",
  openOther: "Open it"
}

export const mergeWords = wordsOf(english, { de: () => import("./mergeWords.de.ts") })
