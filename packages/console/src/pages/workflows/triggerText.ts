/** What starts a workflow, in a few words. Names in it are from outside. */
import type { TriggerType } from "./Drawing.ts"
import type { WorkflowListWords } from "./listWords.ts"

/** A value of a configuration as text. */
export const text = (value: unknown): string =>
  typeof value === "string" ? value : value == null ? "" : JSON.stringify(value)

export const triggerText = (
  type: TriggerType,
  config: { readonly [key: string]: unknown },
  { triggerSummary, noEvent }: WorkflowListWords
): string => {
  if (type === "MANUAL") return triggerSummary.manual
  if (type === "SCHEDULE") return triggerSummary.schedule(text(config["schedule"] ?? config["cron"]))
  return config["eventName"] ? triggerSummary.event(text(config["eventName"])) : noEvent
}
