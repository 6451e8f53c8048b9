/** The subscription at the payment provider, if the deployment has one. */
import type { BillingConsumption, BillingLink } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useMissingRole } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { language } from "../../app/Words.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable } from "../../kit/DataTable.tsx"
import { Bar, Card, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { settingsWords } from "./words.ts"

/** Amounts are in the smallest unit of the currency. */
const amountText = (amount: number, currency: string) => {
  const format = new Intl.NumberFormat(language(), { style: "currency", currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

const open = ({ url }: BillingLink) => location.assign(url)

export const Invoices = ({ upcoming }: { readonly upcoming: BillingConsumption["upcomingInvoice"] }): ReactNode => {
  const words = settingsWords()
  const id = useProjectId()
  const missing = useMissingRole("billing.portal")
  const invoices = useRead(["billing", "invoices"], (api, options) => api.billing.invoices(id, options), {
    enabled: missing === null
  })
  const checkout = useWrite((api) => api.billing.checkout(id), { onDone: open })
  const portal = useWrite((api) => api.billing.portal(id), { onDone: open })
  const error = invoices.error ?? checkout.error ?? portal.error
  const list = invoices.data?.invoices ?? []
  return (
    <Card
      title={words.subscription}
      actions={
        <Row>
          <Button missing={missing} isPending={checkout.isPending} onPress={() => checkout.mutate()}>
            {words.subscribeNow}
          </Button>
          <Button missing={missing} isPending={portal.isPending} onPress={() => portal.mutate()}>
            {words.portal}
          </Button>
        </Row>
      }
    >
      <Stack>
        {error !== null && <Problem error={error} />}
        {upcoming !== null && (
          <p>
            {words.upcoming}: {amountText(upcoming.amountDue, upcoming.currency)}
          </p>
        )}
        {missing !== null ? null : invoices.isPending ? (
          <Bar height={24} />
        ) : list.length === 0 ? (
          error === null && <p>{words.noInvoices}</p>
        ) : (
          <DataTable
            label={words.invoices}
            rows={list}
            total={list.length}
            columns={[
              {
                id: "number",
                name: words.number,
                cell: ({ number, url }) =>
                  url !== null && /^https?:/.test(url) ? (
                    <a href={url} rel="noopener noreferrer">
                      <Foreign>{number}</Foreign>
                    </a>
                  ) : (
                    <Foreign>{number}</Foreign>
                  )
              },
              { id: "state", name: words.state, isFit: true, cell: ({ status }) => <Foreign>{status}</Foreign> },
              { id: "when", name: words.when, isFit: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
              {
                id: "amount",
                name: words.amount,
                isNumber: true,
                cell: ({ amountDue, currency }) => amountText(amountDue, currency)
              }
            ]}
          />
        )}
      </Stack>
    </Card>
  )
}
