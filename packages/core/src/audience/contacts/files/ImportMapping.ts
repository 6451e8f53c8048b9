/** Reads which columns of a file are stored as what, from a part of the form. Pure. */
import { TopicKey } from "@posthorn/contract/audience/topics/Topic"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Option, Predicate, Result, Schema } from "effect"
import { type ImportMapping, isDataKey, shortText } from "./ContactImportCsv.ts"

/** The named targets, and what they are stored as. Another field of contacts is a row here. */
const targets: ReadonlyMap<string, string> = new Map([
  ["email", "email"],
  ["externalId", "externalId"],
  ["subscribed", "subscribed"],
  ["locale", "data.locale"],
  ["timezone", "data.timezone"]
])

const maxColumns = 100

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const isTopicKey = Schema.is(TopicKey)

const isTarget = (target: string) =>
  target.startsWith("topic.")
    ? isTopicKey(target.slice("topic.".length))
    : target.startsWith("data.") && isDataKey(target.slice("data.".length))

export const mappingOf = (text: string): Result.Result<ImportMapping, ReadonlyArray<Fault>> => {
  const given = Option.getOrUndefined(parse(text))
  if (!Predicate.isObject(given) || Array.isArray(given)) {
    const message = "Expected a JSON object: the target of each column by its header."
    return Result.fail([{ field: "mapping", code: "invalid_type", message }])
  }
  const entries = Object.entries(given)
  if (entries.length > maxColumns) {
    return Result.fail([{ field: "mapping", code: "too_big", message: `At most ${maxColumns} columns.` }])
  }
  const mapping = new Map<string, string | null>()
  const faults: Array<Fault> = []
  for (const [column, target] of entries) {
    const name = column.trim()
    const stored =
      typeof target === "string" ? (targets.get(target) ?? (isTarget(target) ? target : undefined)) : target
    if (stored === null || typeof stored === "string") mapping.set(name, stored)
    else {
      const message = `Expected ${[...targets.keys()].join(", ")}, topic.<key>, data.<key> with a key that is not reserved, or null.`
      faults.push({ field: `mapping.${shortText(name)}`, code: "invalid_enum", message })
    }
  }
  return faults.length > 0 ? Result.fail(faults.slice(0, 50)) : Result.succeed(mapping)
}
