/** The section `webhooks` of the OpenAPI document: the requests that the service makes. */
import { Record, Schema } from "effect"
import { webhookEvents } from "../../webhooks/WebhookEvent.ts"

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

const parameters = [
  header("webhook-id", "Id of the delivery, the same for every attempt and replay."),
  header("webhook-timestamp", "Unix seconds of this attempt."),
  header(
    "webhook-signature",
    "As defined by Standard Webhooks: `v1,` and the base64 of an HMAC-SHA256 over id, timestamp and body; two for 24 hours after a change of the secret."
  )
]

const responses = {
  "2XX": { description: "Received." },
  "410": { description: "The endpoint no longer exists. It is disabled and receives nothing more." },
  "4XX": { description: "Not received. The delivery is retried." },
  "5XX": { description: "Not received. The delivery is retried." }
}

export const webhooks = Record.map(webhookEvents, (schema, key) => {
  const { identifier, description } = Schema.resolveAnnotations(schema) ?? {}
  return {
    post: {
      operationId: `webhooks.on.${key}`,
      tags: ["webhooks"],
      summary: key,
      description,
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: `#/components/schemas/${identifier}` } } }
      },
      responses
    }
  }
})
