/** Sends people and events with the library of Segment. Only its settings name Posthorn. */
import { Analytics } from "@segment/analytics-node"

const { POSTHORN_URL = "http://127.0.0.1:3000", POSTHORN_KEY = "" } = process.env

const analytics = new Analytics({ writeKey: POSTHORN_KEY, host: POSTHORN_URL, path: "/ingest/v1/batch" })

analytics.identify({ userId: "user-4711", traits: { email: "sam@example.com", plan: "pro" } })
analytics.track({ userId: "user-4711", event: "order shipped", properties: { order: "A-17", total: 42 } })

await analytics.closeAndFlush()
console.log(JSON.stringify({ sent: "2 messages" }))
