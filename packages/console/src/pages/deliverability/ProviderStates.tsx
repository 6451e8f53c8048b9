import type { ProviderDelivery } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { DataTable } from "../../kit/DataTable.tsx"
import { Answer, Card } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { Count, Foreign, Time } from "../../kit/Text.tsx"
import { deliverabilityWords } from "./words.ts"

const ProviderState = ({ state }: Pick<ProviderDelivery, "state">): ReactNode => {
  const { providerStates } = deliverabilityWords()
  return (
    <State
      shape={state === "NORMAL" ? "dot" : state === "SUSPENDED" ? "triangle" : "ring"}
      tone={state === "NORMAL" ? "good" : state === "SUSPENDED" ? "bad" : "warning"}
    >
      {providerStates[state]}
    </State>
  )
}

/** Which providers take less mail now, and why. */
export const ProviderStates = (): ReactNode => {
  const words = deliverabilityWords()
  const states = useRead(["providers", "states"], (api, options) => api.deliverability.providers(options), {
    keep: true,
    every: 30_000
  })
  return (
    <Card title={words.now}>
      <Answer of={states} height={20}>
        {(all) => {
          const shown = all.filter(({ state, waiting }) => state !== "NORMAL" || waiting > 0)
          return shown.length === 0 ? (
            <p>{words.allNormal}</p>
          ) : (
            <DataTable
              label={words.now}
              rows={shown.map((each) => ({ ...each, id: `${each.name} ${each.transport ?? ""}` }))}
              total={shown.length}
              rowName={({ name }) => name}
              columns={[
                { id: "name", name: words.provider, cell: ({ name }) => <Foreign>{name}</Foreign> },
                { id: "state", name: words.state, cell: ({ state }) => <ProviderState state={state} /> },
                {
                  id: "waiting",
                  name: words.waiting,
                  isNumber: true,
                  cell: ({ waiting }) => <Count value={waiting} />
                },
                {
                  id: "rate",
                  name: words.perMinute,
                  isNumber: true,
                  cell: ({ ratePerMinute }) =>
                    ratePerMinute === null ? words.noLimit : <Count value={ratePerMinute} />
                },
                {
                  id: "until",
                  name: words.until,
                  cell: ({ until }) => (until === null ? "" : <Time at={until} />)
                },
                {
                  id: "reason",
                  name: words.reply,
                  cell: ({ reason }) => (reason === null ? "" : <Foreign>{reason.reply}</Foreign>)
                }
              ]}
            />
          )
        }}
      </Answer>
    </Card>
  )
}
