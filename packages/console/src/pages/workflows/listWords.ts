/** The words of the list of workflows, which loads none of the editor. */
import { wordsOf } from "../../app/Words.ts"

export const english = {
  title: "Workflows",
  about: "A workflow sends mails to a contact step by step after something happened.",
  add: "New workflow",
  name: "Name",
  state: "State",
  trigger: "Trigger",
  live: "Live executions",
  started: "Started",
  changed: "Changed",
  anyState: "Any state",
  anyTrigger: "Any trigger",
  search: "Search name or description",
  states: { active: "Enabled", disabled: "Disabled" },
  enabledAbout: "New executions start.",
  disabledAbout: "No new execution starts. Those that run go on.",
  triggers: { EVENT: "Event", MANUAL: "By hand", SCHEDULE: "Schedule" },
  noEvent: "No event chosen",
  triggerSummary: {
    event: (name: string) => `On ${name}`,
    manual: "Started by hand or by the API",
    schedule: (cron: string) => `At ${cron}`
  }
}

export const workflowListWords = wordsOf(english, { de: () => import("./listWords.de.ts") })

export type WorkflowListWords = typeof english
