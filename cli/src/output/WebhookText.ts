/** Webhooks and their deliveries for people. */
import type { CreatedWebhook, Webhook, WebhookDelivery, WebhookDeliveryDetail } from "@posthorn/client"
import type { Block, Cell } from "./Table.ts"

const stateOf = ({ enabled, disabledReason, failingSince }: Webhook): string => {
  if (!enabled) return disabledReason === null ? "disabled" : `disabled: ${disabledReason}`
  return failingSince === null ? "enabled" : `failing since ${failingSince}`
}

export const webhookHead = ["url", "state", "events", "id"]
export const webhookRow = (webhook: Webhook): ReadonlyArray<Cell> => [
  webhook.url,
  stateOf(webhook),
  webhook.events.join(" "),
  webhook.id
]

export const webhookBlock = (webhook: Webhook): Block => ({
  rows: [
    ["id", webhook.id],
    ["url", webhook.url],
    ["state", stateOf(webhook)],
    ["events", webhook.events.join(" ")],
    ["description", webhook.description],
    ["secret ends in", webhook.secretHint],
    ["last success", webhook.lastSuccessAt],
    ["created", webhook.createdAt]
  ]
})

/** The secret, which is shown only this once. */
export const secretBlock = (webhook: CreatedWebhook): Block => {
  const { rows } = webhookBlock(webhook)
  return { rows: [...rows, ["secret", webhook.secret]] }
}

export const deliveryHead = ["created", "status", "type", "attempts", "next attempt", "id"]
export const deliveryRow = (delivery: WebhookDelivery): ReadonlyArray<Cell> => [
  delivery.createdAt,
  delivery.status,
  delivery.type,
  delivery.attempts,
  delivery.nextAttemptAt,
  delivery.id
]

export const deliveryBlock = (delivery: WebhookDelivery): Block => ({
  rows: [
    ["id", delivery.id],
    ["type", delivery.type],
    ["status", delivery.status],
    ["attempts", delivery.attempts],
    ["next attempt", delivery.nextAttemptAt],
    ["completed", delivery.completedAt]
  ]
})

/** With its attempts, oldest first, and the request that was sent. */
export const deliveryBlocks = (delivery: WebhookDeliveryDetail): ReadonlyArray<Block> => [
  deliveryBlock(delivery),
  {
    name: "attempt",
    head: ["at", "answer", "milliseconds", "response"],
    rows: delivery.attemptLog.map(({ at, statusCode, error, durationMs, response }) => [
      at,
      statusCode ?? error,
      durationMs,
      response
    ])
  },
  { name: "payload", rows: [["payload", JSON.stringify(delivery.payload)]] }
]
