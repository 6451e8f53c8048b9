/** The third step: now or at a time, and how the mails leave from then on. */
import type { ReactNode } from "react"
import { now } from "../../app/Clock.ts"
import { browserZone } from "../../app/Zone.ts"
import type { FormFaults } from "../../kit/Faults.ts"
import { RadioGroup, Select, TextField } from "../../kit/Field.tsx"
import { Card, Pair, Stack } from "../../kit/Layout.tsx"
import { localTime } from "../mails/MoveMail.tsx"
import { deliveryWords } from "./deliveryWords.ts"
import type { Pace } from "./draft.ts"
import type { DraftState } from "./useDraft.ts"
import { campaignWords } from "./words.ts"

/** The fields of this step, as the API names them. */
export const deliveryNames = ["delivery.spreadHours", "delivery.ratePerMinute", "delivery.expiresAt"] as const

const paces: ReadonlyArray<Pace> = ["ONCE", "SEND_NOW", "NEXT_DAY", "SPREAD"]

const priorities = ["1", "2", "3", "4", "5"] as const

interface DeliveryProps {
  /** A time as the field of a browser has it; null: at once. */
  readonly at: string | null
  readonly state: DraftState
  readonly faults: FormFaults["fields"]
  readonly onChange: (at: string | null) => void
}

export const Delivery = ({ at, state: { change, draft }, faults, onChange }: DeliveryProps): ReactNode => {
  const words = campaignWords()
  const more = deliveryWords()
  const field = (name: "spreadHours" | "ratePerMinute" | "expiresAt", help?: string) => {
    const fault = faults[`delivery.${name}`]
    return {
      name: `delivery.${name}`,
      value: draft[name],
      onChange: (value: string) => change({ [name]: value }),
      help: fault === undefined ? help : fault.join(" "),
      isInvalid: fault !== undefined
    }
  }
  return (
    <Card title={words.delivery}>
      <Stack>
        <RadioGroup
          label={words.when}
          value={at === null ? "now" : "later"}
          choices={[
            { id: "now", name: words.now },
            { id: "later", name: words.later }
          ]}
          onChange={(when) => onChange(when === "now" ? null : localTime(new Date(now() + 3_600_000).toISOString()))}
        />
        {at !== null && (
          <TextField
            label={words.time}
            help={words.timeHelp(browserZone)}
            type="datetime-local"
            value={at}
            onChange={onChange}
            isRequired
          />
        )}
        <Pair>
          <Select
            label={more.pace}
            value={draft.pace}
            choices={paces.map((id) => ({ id, name: more.paces[id] }))}
            onChange={(pace) => change({ pace })}
          />
          {draft.pace === "SPREAD" && (
            <TextField label={more.hours} type="number" min={1} max={168} {...field("spreadHours")} />
          )}
        </Pair>
        <Pair>
          <TextField
            label={more.rate}
            type="number"
            min={1}
            max={1_000_000}
            {...field("ratePerMinute", more.rateHelp)}
          />
          <TextField label={more.expires} type="datetime-local" {...field("expiresAt", more.expiresHelp)} />
          <Select
            label={more.priority}
            value={String(draft.priority)}
            choices={priorities.map((id) => ({ id, name: more.priorities[id] }))}
            onChange={(priority) => change({ priority: Number(priority) })}
          />
        </Pair>
      </Stack>
    </Card>
  )
}
