/** The goal of a draft: the event that counts, for how long, what it brings, and who is held out to measure it. */
import type { Campaign } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import { Card, Notice, Pair, Stack } from "../../kit/Layout.tsx"
import { NumberField } from "./Experiment.tsx"
import { experimentWords } from "./experimentWords.ts"
import type { DraftState } from "./useDraft.ts"

type CampaignGoal = NonNullable<Campaign["goal"]>

const fresh: CampaignGoal = { eventName: "", windowHours: 120, attribution: "CLICKED", revenue: null }

export const Goal = ({ state }: { readonly state: DraftState }): ReactNode => {
  const words = experimentWords()
  const { draft, change, error } = state
  const { goal } = draft
  /** The currency is kept while there is no path. */
  const [currency, setCurrency] = useState(goal?.revenue?.currency ?? "EUR")
  const put = (changed: Partial<CampaignGoal>) => {
    if (goal !== null) change({ goal: { ...goal, ...changed } })
  }
  const faults = (error?.errors ?? []).filter(({ field }) => /^(?:goal|holdout)/.test(field))
  const path = goal?.revenue?.path ?? ""
  return (
    <Card title={words.goal}>
      <Stack>
        <Checkbox
          isSelected={goal !== null}
          onChange={(isOn) =>
            change({
              goal: isOn ? fresh : null,
              ...(!isOn && { holdout: null }),
              ...(!isOn && draft.experiment?.metric === "GOAL"
                ? { experiment: { ...draft.experiment, metric: "HUMAN_CLICK" } }
                : {})
            })
          }
        >
          {words.goalTry}
        </Checkbox>
        {goal !== null && (
          <>
            {faults.length > 0 && (
              <Notice tone="warning">{faults.map(({ field, message }) => `${field}: ${message}`).join(" ")}</Notice>
            )}
            <p>{words.goalAbout}</p>
            <Pair>
              <TextField
                label={words.eventName}
                value={goal.eventName}
                onChange={(eventName) => put({ eventName })}
                isRequired
              />
              <NumberField
                label={words.windowHours}
                value={goal.windowHours}
                onChange={(windowHours) => put({ windowHours })}
              />
            </Pair>
            <Select
              label={words.attribution}
              value={goal.attribution}
              choices={(["CLICKED", "OPENED", "SENT"] as const).map((id) => ({ id, name: words.attributions[id] }))}
              onChange={(attribution) => put({ attribution })}
            />
            <Pair>
              <TextField
                label={words.revenuePath}
                help={words.revenuePathHelp}
                value={path}
                onChange={(next) => put({ revenue: next === "" ? null : { ...goal.revenue, path: next, currency } })}
              />
              <TextField
                label={words.currency}
                value={currency}
                onChange={(next) => {
                  setCurrency(next)
                  if (goal.revenue !== null) put({ revenue: { path, currency: next } })
                }}
              />
            </Pair>
            <Checkbox
              isSelected={draft.holdout !== null}
              onChange={(isOn) => change({ holdout: isOn ? { share: 0.05 } : null })}
            >
              {words.holdoutTry}
            </Checkbox>
            {draft.holdout !== null && (
              <>
                <NumberField
                  label={words.holdoutShare}
                  help={words.holdoutShareHelp}
                  value={Math.round(draft.holdout.share * 10_000) / 100}
                  onChange={(percent) => change({ holdout: { share: percent / 100 } })}
                />
                <p>{words.holdoutAbout}</p>
              </>
            )}
          </>
        )}
      </Stack>
    </Card>
  )
}
