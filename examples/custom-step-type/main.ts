/** A workflow with a custom step: orders earn points, and a customer with 100 points becomes gold. */
import { once } from "node:events"
import { serve } from "@hono/node-server"
import type { CreateStep } from "@posthorn/client"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { loopback } from "@posthorn/core/platform/outbound/PublicAddress"
import { createPosthorn } from "@posthorn/embedded"
import { ownStep } from "./OwnStep.ts"

const { DATABASE_URL, DATA_DIR = "./mail", PORT = "4006" } = process.env

const posthorn = await createPosthorn({
  database: DATABASE_URL ?? { dataDir: DATA_DIR },
  mailer: { smtp: "smtp://127.0.0.1:1025?tls=none" },
  publicUrl: "http://127.0.0.1:4006",
  secret: process.env["POSTHORN_SECRET"] ?? "only for this example, 32 bytes and more",
  settings: { outboundAllowed: loopback } // otherwise only public addresses are called
})
const { project } = await posthorn.run(Projects.use(({ create }) => create("Points")))
const { contacts, executions, track, workflows } = posthorn.client(project.id)

const { secret } = await workflows.signingSecret().orThrow()
const awardPoints = ownStep(secret, async ({ contact, event }) => {
  const points = Number(contact.data["points"] ?? 0) + Number(event["total"] ?? 0)
  await contacts.update(contact.id, { data: { points } }).orThrow()
  return { points }
})
const server = serve({ fetch: awardPoints, port: Number(PORT), hostname: "127.0.0.1" })
await once(server, "listening")
const address = server.address()
const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : PORT}`

const { id } = await workflows.create({ name: "Points", eventName: "order placed", allowReentry: true }).orThrow()
const add = async (step: CreateStep) => (await workflows.addStep(id, { ...step, autoConnect: false }).orThrow()).id
const award = await add({ type: "WEBHOOK", config: { url } })
const hundred = { field: "contact.data.points", operator: "greaterThanOrEqual", value: 100 } as const
const enough = await add({ type: "CONDITION", config: hundred })
const gold = await add({ type: "EXIT", config: { reason: "gold" } })
await workflows.addTransition(id, { fromStepId: award, toStepId: enough }).orThrow()
await workflows.addTransition(id, { fromStepId: enough, toStepId: gold, branch: "yes" }).orThrow()
await workflows.update(id, { enabled: true }).orThrow()

/** Places an order, and returns the result of the execution that it starts. */
const placeOrder = async (total: number) => {
  await track({ email: "anna@example.com", event: "order placed", data: { total } }).orThrow()
  for (;;) {
    const { data } = await executions.list(id).page().orThrow()
    const [newest] = data
    if (newest?.context["total"] === total && newest.completedAt !== null) return newest
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
const first = await placeOrder(60)
const second = await placeOrder(50)
console.log(JSON.stringify({ first: first.exitReason ?? first.status, second: second.exitReason }))

server.close()
await posthorn.close()
