/** Workflows to start from. Their mails have no template until one is chosen. */
import type { WholeGraph } from "@posthorn/client/session"

export type StartId = "welcome" | "trial" | "winBack"

const at = (column: number, row: number) => ({ x: column * 280, y: row * 140 })

const mail = (key: string, name: string, column: number, row: number) =>
  ({ key, type: "SEND_EMAIL", name, position: at(column, row), config: {} }) as const

const delay = (key: string, amount: number, unit: "hours" | "days", column: number, row: number) =>
  ({
    key,
    type: "DELAY",
    name: `Wait ${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`,
    position: at(column, row),
    config: { amount, unit }
  }) as const

const end = (column: number, row: number) =>
  ({ key: "end", type: "EXIT", name: "End", position: at(column, row), config: {} }) as const

/** The trigger has the key `start`. */
const trigger = { key: "start", type: "TRIGGER", name: "Trigger", position: at(0, 0) } as const

export const starts: { readonly [S in StartId]: WholeGraph } = {
  welcome: {
    triggerType: "EVENT",
    triggerConfig: { eventName: "signed_up" },
    steps: [
      trigger,
      mail("hello", "Welcome", 0, 1),
      delay("pause", 2, "days", 0, 2),
      mail("tips", "First steps", 0, 3),
      end(0, 4)
    ],
    transitions: [
      { from: "start", to: "hello" },
      { from: "hello", to: "pause" },
      { from: "pause", to: "tips" },
      { from: "tips", to: "end" }
    ]
  },
  trial: {
    triggerType: "EVENT",
    triggerConfig: { eventName: "trial_started" },
    steps: [
      trigger,
      mail("hello", "Your trial", 0, 1),
      {
        key: "paid",
        type: "WAIT_FOR_EVENT",
        name: "Wait for a subscription",
        position: at(0, 2),
        config: { eventName: "subscribed", timeout: 10 * 86_400 }
      },
      mail("thanks", "Thank you", 0, 3),
      mail("ends", "Your trial ends", 1, 3),
      end(0, 4)
    ],
    transitions: [
      { from: "start", to: "hello" },
      { from: "hello", to: "paid" },
      { from: "paid", to: "thanks", branch: "event" },
      { from: "paid", to: "ends", branch: "timeout" },
      { from: "thanks", to: "end" },
      { from: "ends", to: "end" }
    ]
  },
  winBack: {
    triggerType: "EVENT",
    triggerConfig: { eventName: "subscription_cancelled" },
    steps: [
      trigger,
      delay("pause", 7, "days", 0, 1),
      {
        key: "back",
        type: "CONDITION",
        name: "Back by now?",
        position: at(0, 2),
        config: { field: "event.subscribed", operator: "triggeredWithin", value: 7, unit: "days" }
      },
      { key: "done", type: "EXIT", name: "Back", position: at(0, 3), config: { reason: "came_back" } },
      mail("offer", "Come back", 1, 3),
      end(1, 4)
    ],
    transitions: [
      { from: "start", to: "pause" },
      { from: "pause", to: "back" },
      { from: "back", to: "done", branch: "yes" },
      { from: "back", to: "offer", branch: "no" },
      { from: "offer", to: "end" }
    ]
  }
}
