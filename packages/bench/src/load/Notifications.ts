/** Signed delivery reports, as relays send them. */
import { createHmac, randomUUID } from "node:crypto"
import { Effect, Schedule } from "effect"
import { BenchFailure } from "../BenchFailure.ts"

export type Kind = "delivery" | "bounce" | "complaint"

/** Two events with the same id are the same report. A bounce is permanent. */
export const event = (kind: Kind, emailId: string, id: string) => ({
  ...{ id, type: kind, emailId, timestamp: new Date().toISOString() },
  ...(kind === "bounce" && { status: "5.1.1", diagnostic: "550 5.1.1 user unknown" })
})

/** Repeats of a call that the service could not answer, as providers do. */
const repeats = { schedule: Schedule.spaced("1 second"), times: 5 }

const post = (url: string, secret: string, type: string, body: string) =>
  Effect.tryPromise({
    try: async () => {
      const id = randomUUID()
      const timestamp = String(Math.floor(Date.now() / 1000))
      const tag = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")
      const response = await fetch(`${url}/webhooks/notifications`, {
        method: "POST",
        headers: {
          "content-type": type,
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": `v1,${tag}`
        },
        body
      })
      const answer = (await response.json()) as { readonly data?: { readonly accepted: number } }
      if (answer.data === undefined) throw new Error(JSON.stringify(answer))
      return answer.data
    },
    catch: (error) => new BenchFailure({ message: `POST /webhooks/notifications: ${String(error)}` })
  })

/** Sends all of them in one call. Each must be accepted. A call without an answer of 200 is repeated. */
export const tell = (url: string, secret: string, events: ReadonlyArray<object>) =>
  Effect.retry(
    Effect.suspend(() => post(url, secret, "application/json", JSON.stringify({ events }))),
    repeats
  )

/** Sends a mail with one report, which must be new. */
export const report = Effect.fnUntraced(function* (url: string, secret: string, mail: string) {
  const { accepted } = yield* post(url, secret, "message/rfc822", mail)
  if (accepted !== 1) return yield* new BenchFailure({ message: "A report was not taken." })
})
