import { plural, wordsOf } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"

const contacts = (count: number) => plural(count, { one: "1 contact", other: `${numberText(count)} contacts` })

export const english = {
  coverage: "Contacts that have it",
  usage: "Use",
  values: "Values",
  noValues: "No values to list.",
  unused: "Nothing uses this field.",
  usedBy: { segments: "Segments", campaigns: "Campaigns", workflows: "Workflows" },
  inUse: "Segments, campaigns or workflows use this field. Change them first.",
  standard: "Every contact has this field. It cannot be deleted.",
  deleteField: "Delete field",
  deleteFieldAbout: (field: string, count: number) =>
    `${field} is removed from ${contacts(count)}. This cannot be undone.`,
  fieldDeleted: (count: number) => `The field is removed from ${contacts(count)}.`
}

export const fieldWords = wordsOf(english, { de: () => import("./fieldWords.de.ts") })
