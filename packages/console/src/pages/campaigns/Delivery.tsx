/** The third step: now, or at a time. */
import type { ReactNode } from "react"
import { now } from "../../app/Clock.ts"
import { browserZone } from "../../app/Zone.ts"
import { RadioGroup, TextField } from "../../kit/Field.tsx"
import { Card, Stack } from "../../kit/Layout.tsx"
import { localTime } from "../mails/MoveMail.tsx"
import { campaignWords } from "./words.ts"

interface DeliveryProps {
  /** A time as the field of a browser has it; null: at once. */
  readonly at: string | null
  readonly onChange: (at: string | null) => void
}

export const Delivery = ({ at, onChange }: DeliveryProps): ReactNode => {
  const words = campaignWords()
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
      </Stack>
    </Card>
  )
}
