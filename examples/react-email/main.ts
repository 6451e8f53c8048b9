/** Sends two receipts, which are React components, in one request. The service derives their text parts. */
import { Posthorn } from "@posthorn/client/react"
import { createElement } from "react"
import { type Order, Receipt } from "./Receipt.ts"

const { POSTHORN_URL, POSTHORN_KEY, FROM = "shop@posthorn.test" } = process.env
const posthorn = new Posthorn({ baseUrl: POSTHORN_URL, secretKey: POSTHORN_KEY })

const orders: ReadonlyArray<Order & { readonly email: string }> = [
  { number: "R-1", email: "ada@example.com", name: "Ada", items: ["Tea", "Cups"] },
  { number: "R-2", email: "bob@example.com", name: "{{Bob}} & <Co>", items: ["Bread"] }
]

const { accepted } = await posthorn
  .batch(
    {
      defaults: { from: FROM },
      emails: orders.map(({ email, ...order }) => ({
        to: email,
        subject: `Receipt ${order.number}`,
        react: createElement(Receipt, order),
        idempotencyKey: `receipt-${order.number}`
      }))
    },
    { idempotencyMode: "replay" }
  )
  .orThrow()
console.log(`${accepted} receipts are accepted.`)
