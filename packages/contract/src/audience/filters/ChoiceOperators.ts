/** Readers of the operators on a value of a closed list. */
import { ContactSource, ContactSubscription } from "../contacts/Contact.ts"
import type { Choice } from "./Condition.ts"
import type { FaultReport } from "./FilterFaults.ts"
import { type Given, isText, readList, readText } from "./FilterValues.ts"
import type { OperatorOf } from "./Operators.ts"

/** The possible values. */
export const choices: { readonly [Name in Choice["name"]]: ReadonlyArray<string> } = {
  subscription: ContactSubscription.literals,
  "origin.source": ContactSource.literals,
  topic: ["subscribed", "unsubscribed", "unset"]
}

/** The chosen words. */
export const readChoices = (
  { name }: Choice,
  operator: OperatorOf<"choice">,
  { value }: Given,
  report: FaultReport
): ReadonlyArray<string> | undefined => {
  const possible = choices[name]
  const read = (given: unknown, at: FaultReport) => {
    const word = readText(given, at)
    if (word === undefined || possible.includes(word)) return word
    return at.add("invalid_enum", `Expected one of ${possible.join(", ")}.`, isText(given) ? given : undefined)
  }
  const at = report.at("value")
  if (operator === "in" || operator === "notIn") return readList(value, read, at)
  const word = read(value, at)
  return word === undefined ? undefined : [word]
}
