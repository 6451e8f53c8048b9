import type { BillingLimits } from "@posthorn/client/session"
import { useQuery } from "@tanstack/react-query"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { offerQuery } from "../../app/Start.ts"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import { Bar, Card, Facts, Pair, Problem, Stack } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { notify } from "../../kit/notices.ts"
import { Progress } from "../../kit/Progress.tsx"
import { SaveForm } from "../../kit/SaveForm.tsx"
import { numberText, Time } from "../../kit/Text.tsx"
import { SettingsTabs } from "./SettingsTabs.tsx"
import { settingsWords } from "./words.ts"

const Invoices = lazy(async () => ({ default: (await import("./Invoices.tsx")).Invoices }))

const categories = ["transactional", "campaigns", "workflows", "inbound"] as const

const Usage = ({ limits }: { readonly limits: BillingLimits }) => {
  const words = settingsWords()
  return (
    <Facts
      facts={categories.map((category) => {
        const { limit, usage, isWarning, isBlocked } = limits[category]
        const used = numberText(usage)
        return [
          words.categories[category],
          limit === null ? (
            `${used} (${words.noCap})`
          ) : (
            <Stack key={category}>
              <Progress
                label={words.categories[category]}
                value={usage / limit}
                text={words.usedOf(used, numberText(limit))}
              />
              {isBlocked ? (
                <State shape="triangle" tone="bad">
                  {words.capReached}
                </State>
              ) : (
                isWarning && (
                  <State shape="triangle" tone="warning">
                    {words.capWarning}
                  </State>
                )
              )}
            </Stack>
          )
        ]
      })}
    />
  )
}

const Caps = ({ limits }: { readonly limits: BillingLimits }) => {
  const words = settingsWords()
  const id = useProjectId()
  const missing = useMissing("billing.setLimits")
  const [fields, setFields] = useState(() =>
    Object.fromEntries(categories.map((category) => [category, String(limits[category].limit ?? "")]))
  )
  const body = Object.fromEntries(
    Object.entries(fields).map(([category, text]) => [category, text === "" ? null : Number(text)])
  )
  const save = useWrite((api) => api.billing.setLimits(id, body), {
    changes: ["billing"],
    onDone: () => notify(words.saved)
  })
  const faults = faultsOf(save.error, categories)
  return (
    <SaveForm
      faults={faults}
      missing={missing}
      onSave={() => save.mutate()}
      isPending={save.isPending}
      save={words.save}
    >
      <p>{words.capsAbout}</p>
      {[categories.slice(0, 2), categories.slice(2)].map((pair) => (
        <Pair key={pair.join()}>
          {pair.map((category) => (
            <TextField
              key={category}
              label={words.categories[category]}
              name={category}
              type="number"
              min={1}
              value={fields[category] ?? ""}
              onChange={(text) => setFields({ ...fields, [category]: text })}
            />
          ))}
        </Pair>
      ))}
    </SaveForm>
  )
}

export const BillingPage = (): ReactNode => {
  const words = settingsWords()
  const id = useProjectId()
  const offer = useQuery(offerQuery)
  const limits = useRead(["billing", "limits"], (api, options) => api.billing.limits(id, options))
  const consumption = useRead(["billing", "consumption"], (api, options) => api.billing.consumption(id, options))
  const error = limits.error ?? consumption.error
  const retry = () => void Promise.all([limits.refetch(), consumption.refetch()])
  return (
    <Page title={words.billing}>
      <SettingsTabs current="billing" />
      {error !== null && <Problem error={error} onRetry={retry} />}
      <Card title={words.used}>
        {limits.data === undefined || consumption.data === undefined ? (
          error === null && <Bar height={160} />
        ) : (
          <Stack>
            <p>
              {words.period}: <Time at={consumption.data.period.start} exact /> {words.until}{" "}
              <Time at={consumption.data.period.end} exact />
            </p>
            <Usage limits={limits.data} />
          </Stack>
        )}
      </Card>
      <Card title={words.caps}>
        {limits.data === undefined ? error === null && <Bar height={220} /> : <Caps limits={limits.data} />}
      </Card>
      {offer.data?.features.billing.enabled === true && (
        <Suspense fallback={<Bar height={120} />}>
          <Invoices upcoming={consumption.data?.upcomingInvoice ?? null} />
        </Suspense>
      )}
    </Page>
  )
}
