import { plural } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"
import type { english } from "./fieldWords.ts"

/** After "von" and "aus". */
const contacts = (count: number) => plural(count, { one: "1 Kontakt", other: `${numberText(count)} Kontakten` })

const german: typeof english = {
  coverage: "Kontakte mit diesem Feld",
  usage: "Verwendung",
  values: "Werte",
  noValues: "Keine Werte vorhanden.",
  unused: "Nichts verwendet dieses Feld.",
  usedBy: { segments: "Segmente", campaigns: "Kampagnen", workflows: "Workflows" },
  inUse: "Segmente, Kampagnen oder Workflows verwenden dieses Feld. Ändern Sie diese zuerst.",
  standard: "Jeder Kontakt hat dieses Feld. Es kann nicht gelöscht werden.",
  deleteField: "Feld löschen",
  deleteFieldAbout: (field, count) =>
    `${field} wird aus ${contacts(count)} entfernt. Das lässt sich nicht rückgängig machen.`,
  fieldDeleted: (count) => `Das Feld ist aus ${contacts(count)} entfernt.`
}

export default german
