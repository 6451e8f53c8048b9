import type { FilterTree } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useProject } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { everyone } from "../../kit/conditions/everyone.ts"
import { LaterConditionBuilder } from "../../kit/conditions/LaterConditionBuilder.tsx"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import type { Drawing, TriggerType } from "./Drawing.ts"
import { EventMatchFields } from "./EventMatchFields.tsx"
import type { PlacedFaults } from "./faults.ts"
import { EventField } from "./StepFields.tsx"
import { workflowWords } from "./words.ts"

interface TriggerFieldsProps {
  readonly drawing: Drawing
  readonly set: (change: Pick<Drawing, "triggerType" | "triggerConfig">) => void
  readonly faults: PlacedFaults["errors"] | undefined
}

export const TriggerFields = ({ drawing, set, faults = [] }: TriggerFieldsProps): ReactNode => {
  const { fields, triggers } = workflowWords()
  const { timezone } = useProject()
  const { triggerType, triggerConfig } = drawing
  const segments = useRead(["segments"], (api, options) => api.segments.list(options), {
    enabled: triggerType === "SCHEDULE",
    staleTime: 60_000
  })
  const condition = triggerConfig["condition"] as FilterTree | undefined
  const initial: { readonly [T in TriggerType]: Drawing["triggerConfig"] } = {
    EVENT: {},
    MANUAL: {},
    SCHEDULE: { schedule: "0 9 * * 1", timezone, audienceType: "ALL" }
  }
  const config = (change: Drawing["triggerConfig"]) =>
    set({ triggerType, triggerConfig: JSON.parse(JSON.stringify({ ...triggerConfig, ...change })) })
  return (
    <>
      <Select
        label={fields.trigger}
        value={triggerType}
        choices={(["EVENT", "MANUAL", "SCHEDULE"] as const).map((id) => ({ id, name: triggers[id] }))}
        onChange={(type) => set({ triggerType: type, triggerConfig: initial[type] })}
      />
      {triggerType === "EVENT" && (
        <>
          <EventField
            label={fields.eventName}
            name="triggerConfig.eventName"
            value={triggerConfig["eventName"]}
            onChange={(eventName) => config({ eventName: eventName || undefined })}
          />
          <EventMatchFields
            eventName={triggerConfig["eventName"]}
            value={triggerConfig}
            onChange={(next) => config({ ...next })}
          />
          <Checkbox
            isSelected={condition !== undefined}
            onChange={(isOn) => config({ condition: isOn ? everyone : undefined })}
          >
            {fields.hasCondition}
          </Checkbox>
          {condition !== undefined && (
            <LaterConditionBuilder
              value={condition}
              onChange={(next) => config({ condition: next })}
              faults={faults}
              name="triggerConfig.condition"
            />
          )}
          <TextField
            label={fields.entryKey}
            name="triggerConfig.entryKey"
            help={fields.entryKeyHelp}
            maxLength={100}
            value={String(triggerConfig["entryKey"] ?? "")}
            onChange={(entryKey) => config({ entryKey: entryKey || undefined })}
          />
        </>
      )}
      {triggerType === "SCHEDULE" && (
        <>
          <TextField
            label={fields.cron}
            name="triggerConfig.schedule"
            help={fields.cronHelp}
            value={String(triggerConfig["schedule"] ?? "")}
            onChange={(schedule) => config({ schedule })}
          />
          <TextField
            label={fields.timezone}
            name="triggerConfig.timezone"
            value={String(triggerConfig["timezone"] ?? "")}
            onChange={(zone) => config({ timezone: zone || undefined })}
          />
          <Select
            label={fields.audience}
            value={String(triggerConfig["segmentId"] ?? "")}
            choices={[
              { id: "", name: fields.everyone },
              ...(segments.data ?? []).map(({ id, name }) => ({ id, name }))
            ]}
            onChange={(id) =>
              config(id ? { segmentId: id, audienceType: undefined } : { segmentId: undefined, audienceType: "ALL" })
            }
          />
        </>
      )}
    </>
  )
}
