/** The part of Stripe's API that billing uses, with a state that tests change. For tests. */
import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { localServer } from "../../testing/LocalServer.ts"

/** 2026-03-10 to 2026-04-10. */
export const period = { start: 1_773_100_800, end: 1_775_779_200 }

interface Session {
  status: "complete" | "open"
  client_reference_id: string
  customer: string | null
  subscription?: string
}

interface State {
  isDown: boolean
  session: Session
  /** Checkout sessions other than `cs_1`, by id. */
  sessions: { [id: string]: Session }
  subscription: "active" | "canceled" | undefined
  /** Active subscriptions other than `sub_1`, with their customers. */
  others: Array<{ id: string; customer: string }>
  invoice: { status: "open" | "paid"; attempt_count: number }
  balance: number
}

const invoice = ({ status, attempt_count }: State["invoice"]) => ({
  id: "in_1",
  object: "invoice",
  number: "A-1",
  status,
  attempt_count,
  amount_due: 1900,
  amount_paid: status === "paid" ? 1900 : 0,
  currency: "eur",
  period_start: period.start,
  period_end: period.end,
  due_date: null,
  hosted_invoice_url: "https://pay.example/in_1",
  invoice_pdf: "https://pay.example/in_1.pdf",
  created: period.start
})

const subscription = (id: string, status: string) => ({
  id,
  status,
  currency: "eur",
  items: { data: [{ current_period_start: period.start, current_period_end: period.end }] }
})

const formOf = async (request: IncomingMessage) => {
  let text = ""
  for await (const chunk of request) text += chunk
  return Object.fromEntries(new URLSearchParams(text))
}

export const stripeServer = Effect.gen(function* () {
  const state: State = {
    isDown: false,
    session: { status: "open", client_reference_id: "", customer: null },
    sessions: {},
    subscription: undefined,
    others: [],
    invoice: { status: "open", attempt_count: 1 },
    balance: 0
  }
  /** Requests with POST or DELETE, by path. */
  const posted: Array<{ readonly path: string; readonly form: { readonly [name: string]: string } }> = []

  const answers: { readonly [path: string]: (form: { readonly [name: string]: string }) => object } = {
    "GET /v1/prices/price_1": () => ({ id: "price_1", recurring: { usage_type: "metered", meter: "mtr_1" } }),
    "GET /v1/billing/meters/mtr_1": () => ({ id: "mtr_1", event_name: "emails" }),
    "POST /v1/checkout/sessions": () => ({ id: "cs_1", url: "https://pay.example/cs_1" }),
    "GET /v1/checkout/sessions/cs_1": () => ({ id: "cs_1", currency: "eur", ...state.session }),
    "POST /v1/billing_portal/sessions": () => ({ id: "bps_1", url: "https://pay.example/portal" }),
    "GET /v1/subscriptions": ({ customer }) => ({
      object: "list",
      data: [
        ...state.others.filter((other) => other.customer === customer).map(({ id }) => subscription(id, "active")),
        ...(customer === "cus_1" && state.subscription ? [subscription("sub_1", state.subscription)] : [])
      ]
    }),
    "DELETE /v1/subscriptions/sub_1": () => ({ id: "sub_1", status: "canceled" }),
    "GET /v1/invoices": () => ({ object: "list", data: [invoice(state.invoice)] }),
    "GET /v1/invoices/in_1": () => invoice(state.invoice),
    "GET /v1/customers/cus_1": () => ({ id: "cus_1", balance: state.balance }),
    "POST /v1/invoices/create_preview": () => ({ amount_due: 700, currency: "eur", period_end: period.end }),
    "POST /v1/billing/meter_events": () => ({ object: "billing.meter_event" })
  }

  const numbered = (path: string) => {
    const [, id = ""] = /^(?:GET \/v1\/checkout\/sessions|DELETE \/v1\/subscriptions)\/(.*)$/.exec(path) ?? []
    const session = state.sessions[id]
    if (session !== undefined) return () => ({ id, currency: "eur", ...session })
    if (!state.others.some((other) => other.id === id)) return undefined
    return () => {
      state.others = state.others.filter((other) => other.id !== id)
      return { id, status: "canceled" }
    }
  }

  const port = yield* localServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "", "http://stripe")
    const form = { ...(await formOf(request)), ...Object.fromEntries(query) }
    const answer = answers[`${request.method} ${path}`] ?? numbered(`${request.method} ${path}`)
    const isKnown = request.headers.authorization === "Bearer sk_test_0123456789"
    const status = state.isDown ? 500 : isKnown ? (answer ? 200 : 404) : 401
    if (status === 200 && request.method !== "GET") posted.push({ path, form })
    const body = status === 200 && answer ? answer(form) : { error: { type: "api_error", message: `${status}` } }
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  return { state, posted, api: { host: "127.0.0.1", port, protocol: "http" as const } }
})
