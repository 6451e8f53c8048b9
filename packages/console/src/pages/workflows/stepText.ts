/** What a step does, in a few words. Names and values in it are from outside. */
import { weekdayText } from "../../kit/Weekdays.tsx"
import { type DrawnStep, delayKind } from "./Drawing.ts"
import { text } from "./triggerText.ts"
import type { WorkflowWords } from "./words.ts"

const spans = [
  ["weeks", 604_800],
  ["days", 86_400],
  ["hours", 3_600],
  ["minutes", 60]
] as const

/** Seconds in the largest unit that divides them. */
export const spanOf = (seconds: number): readonly [amount: number, unit: "minutes" | "hours" | "days" | "weeks"] => {
  const [unit, size] = spans.find((span) => seconds % span[1] === 0) ?? ["minutes", 60]
  return [seconds / size, unit]
}

export const secondsOf = (amount: number, unit: string): number =>
  Math.round(amount * (spans.find(([name]) => name === unit)?.[1] ?? 60))

const lengthText = (amount: unknown, unit: unknown, { fields, oneUnit }: WorkflowWords): string => {
  const names = amount === 1 ? oneUnit : fields.units
  return `${text(amount)} ${names[unit as keyof typeof names] ?? text(unit)}`
}

const delayText = (config: DrawnStep["config"], words: WorkflowWords): string => {
  const { summary } = words
  const until = (config["until"] ?? {}) as DrawnStep["config"]
  const time = text(until["time"])
  switch (delayKind(config)) {
    case "span":
      return summary.wait(lengthText(config["amount"], config["unit"], words))
    case "weekdays": {
      const days = Array.isArray(until["weekdays"]) ? until["weekdays"] : []
      return summary.waitFor([days.map((day) => weekdayText(text(day))).join(", "), time].join(" "))
    }
    case "date":
      return summary.waitFor(`${text(until["date"])} ${time}`)
    case "field":
      return summary.waitFor(text(until["field"]))
  }
}

const sharesText = ({ branches }: DrawnStep["config"]): string =>
  Array.isArray(branches)
    ? branches.map(({ id, name, share }) => `${text(name ?? id)} ${text(share)} %`).join(", ")
    : ""

const conditionText = (config: DrawnStep["config"], { summary }: WorkflowWords): string => {
  if (config["mode"] === "multi")
    return summary.multi(Array.isArray(config["branches"]) ? config["branches"].length : 0)
  if (config["condition"] != null) return summary.condition
  return [config["field"], config["operator"], config["value"], config["unit"]].map(text).filter(Boolean).join(" ")
}

/** The name of a branch of a step with this config. */
export const branchText = (
  branch: string | null,
  config: DrawnStep["config"] | undefined,
  { branches, on, onBranch }: WorkflowWords
): string => {
  if (branch === null) return on
  const own: ReadonlyArray<{ readonly id: string; readonly name?: string }> = Array.isArray(config?.["branches"])
    ? config["branches"]
    : []
  return onBranch(own.find(({ id }) => id === branch)?.name ?? branches[branch] ?? branch)
}

/** `names` are those of the templates, by id. */
export const stepText = (step: DrawnStep, words: WorkflowWords, names: ReadonlyMap<string, string>): string => {
  const { summary } = words
  const { config } = step
  switch (step.type) {
    case "TRIGGER":
      return ""
    case "SEND_EMAIL":
      return step.templateId === null ? summary.noTemplate : (names.get(step.templateId) ?? step.templateId)
    case "DELAY":
      return delayText(config, words)
    case "SPLIT":
      return sharesText(config)
    case "TIME_WINDOW":
      return summary.window(text(config["from"]), text(config["to"]))
    case "RATE_LIMIT":
      return summary.limit(text(config["limit"]), text(config["per"]))
    case "WAIT_FOR_EVENT": {
      const event = config["eventName"] ? summary.waitFor(text(config["eventName"])) : words.noEvent
      if (typeof config["timeout"] !== "number") return event
      const [amount, unit] = spanOf(config["timeout"])
      return `${event}, ${summary.atMost(lengthText(amount, unit, words))}`
    }
    case "CONDITION":
      return conditionText(config, words)
    case "WEBHOOK":
      return config["url"] ? `${text(config["method"] ?? "POST")} ${text(config["url"])}` : summary.noUrl
    case "UPDATE_CONTACT": {
      const names_ = Object.keys((config["updates"] as object | undefined) ?? {})
      const topics = Object.keys((config["topics"] as object | undefined) ?? {})
      const action = config["subscriptionAction"]
      const parts = [
        names_.length > 0 ? summary.updates(names_.join(", ")) : "",
        topics.length > 0 ? summary.topics(topics.join(", ")) : "",
        action === "subscribe" ? summary.subscribe : action === "unsubscribe" ? summary.unsubscribe : ""
      ]
      return parts.filter(Boolean).join(", ") || summary.nothing
    }
    case "EXIT":
      return text(config["reason"]) || summary.exit
  }
}
