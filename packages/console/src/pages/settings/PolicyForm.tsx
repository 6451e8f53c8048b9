/** Quiet hours and frequency caps of the project. */
import type { SendingSettings, UpdateSendingSettings } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Select, Switch, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Answer, Card, Pair, Row, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { SaveForm } from "../../kit/SaveForm.tsx"
import { TopicField } from "../../kit/TopicField.tsx"
import { Weekdays, weekdays } from "../../kit/Weekdays.tsx"
import { policyWords } from "./policyWords.ts"

type Hours = NonNullable<SendingSettings["quietHours"]>
type Cap = SendingSettings["frequencyCaps"][number]

const zones = ["CONTACT", "PROJECT"] as const
const units = ["hours", "days"] as const
const maxCaps = 5

const usual: Hours = { days: weekdays, from: "21:00", to: "08:00", timezone: "CONTACT", action: "WAIT" }

const actions = ({ actions: names }: ReturnType<typeof policyWords>) =>
  (["WAIT", "SKIP"] as const).map((id) => ({ id, name: names[id] }))

const QuietHoursFields = ({
  hours,
  onChange
}: {
  readonly hours: Hours
  readonly onChange: (hours: Hours) => void
}) => {
  const words = policyWords()
  const set = (change: Partial<Hours>) => onChange({ ...hours, ...change })
  const time = (name: "from" | "to") => (
    <TextField
      label={words[name]}
      name={`quietHours.${name}`}
      type="time"
      value={hours[name]}
      onChange={(value) => set({ [name]: value })}
      isRequired
    />
  )
  const isNamed = !zones.some((zone) => zone === hours.timezone)
  return (
    <>
      <Pair>
        {time("from")}
        {time("to")}
      </Pair>
      <Weekdays label={words.days} value={hours.days} onChange={(days) => set({ days })} />
      <Pair>
        <Select
          label={words.zone}
          value={hours.timezone}
          choices={[
            ...zones.map((id) => ({ id: id as string, name: words.zones[id] })),
            ...(isNamed ? [{ id: hours.timezone, name: hours.timezone }] : [])
          ]}
          onChange={(timezone) => set({ timezone })}
        />
        <Select
          label={words.quietAction}
          value={hours.action}
          choices={actions(words)}
          onChange={(action) => set({ action })}
        />
      </Pair>
    </>
  )
}

interface CapFieldsProps {
  readonly cap: Cap
  readonly index: number
  readonly onChange: (cap: Cap) => void
  readonly onRemove: () => void
  readonly fault: string | undefined
}

const CapFields = ({ cap, index, onChange, onRemove, fault }: CapFieldsProps) => {
  const words = policyWords()
  const set = (change: Partial<Cap>) => onChange({ ...cap, ...change })
  const count = (name: "limit" | "amount", max: number) => (
    <TextField
      label={words[name]}
      name={`frequencyCaps.${index}.${name}`}
      type="number"
      min={1}
      max={max}
      value={String(cap[name])}
      onChange={(text) => set({ [name]: Number(text) })}
      isRequired
    />
  )
  return (
    <fieldset className={kit.group}>
      <legend className={kit.label}>{words.cap(index + 1)}</legend>
      <Pair>
        {count("limit", 100)}
        {count("amount", cap.unit === "days" ? 30 : 720)}
      </Pair>
      <Pair>
        <Select
          label={words.unit}
          value={cap.unit}
          choices={units.map((id) => ({ id, name: words.units[id] }))}
          onChange={(unit) => set({ unit })}
        />
        <TopicField value={cap.topicId} none={words.allMail} fault={fault} onChange={(topicId) => set({ topicId })} />
      </Pair>
      <Row>
        <Button onPress={onRemove}>{words.removeCap(index + 1)}</Button>
      </Row>
    </fieldset>
  )
}

/** A cap that no other has the id of. */
const newCap = (caps: ReadonlyArray<Cap>): Cap => {
  const ids = Array.from({ length: maxCaps }, (_, n) => `cap-${n + 1}`)
  const id = ids.find((each) => caps.every((cap) => cap.id !== each)) ?? "cap"
  return { id, limit: 3, amount: 7, unit: "days", topicId: null }
}

const Form = ({ settings }: { readonly settings: SendingSettings }) => {
  const words = policyWords()
  const missing = useMissing("settings.updateSending")
  const { quietHours, frequencyCaps, onCap, maxWaitHours } = settings
  const [fields, setFields] = useState({ quietHours, frequencyCaps, onCap, maxWaitHours })
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change })
  const save = useWrite((api, change: UpdateSendingSettings) => api.settings.updateSending(change), {
    changes: ["sending", "contacts"],
    onDone: () => notify(words.saved)
  })
  const caps = fields.frequencyCaps
  const setCap = (index: number, cap: Cap) => set({ frequencyCaps: caps.map((each, n) => (n === index ? cap : each)) })
  const topicFields = caps.map((_, n) => `frequencyCaps.${n}.topicId`)
  const faults = faultsOf(save.error, [
    ...["quietHours.from", "quietHours.to", "quietHours.days", "maxWaitHours"],
    ...caps.flatMap((_, n) => ["limit", "amount", "topicId"].map((name) => `frequencyCaps.${n}.${name}`))
  ])
  return (
    <SaveForm
      faults={faults}
      missing={missing}
      onSave={() => save.mutate(fields)}
      isPending={save.isPending}
      save={words.save}
      code={<ShowCode call={{ operation: "settings.updateSending", body: fields }} />}
    >
      <Card title={words.quietHours}>
        <Stack>
          <p>{words.quietAbout}</p>
          <Switch
            isSelected={fields.quietHours !== null}
            onChange={(isOn) => set({ quietHours: isOn ? (quietHours ?? usual) : null })}
          >
            {words.hasQuietHours}
          </Switch>
          {fields.quietHours !== null && (
            <QuietHoursFields hours={fields.quietHours} onChange={(hours) => set({ quietHours: hours })} />
          )}
        </Stack>
      </Card>
      <Card title={words.caps}>
        <Stack>
          <p>{words.capsAbout}</p>
          {caps.map((cap, index) => (
            <CapFields
              key={cap.id}
              cap={cap}
              index={index}
              fault={faults.fields[topicFields[index] ?? ""]?.[0]}
              onChange={(next) => setCap(index, next)}
              onRemove={() => set({ frequencyCaps: caps.filter((_, n) => n !== index) })}
            />
          ))}
          {caps.length < maxCaps && (
            <Row>
              <Button onPress={() => set({ frequencyCaps: [...caps, newCap(caps)] })}>{words.addCap}</Button>
            </Row>
          )}
          {caps.length > 0 && (
            <>
              <Pair>
                <Select
                  label={words.campaigns}
                  value={fields.onCap.campaigns}
                  choices={actions(words)}
                  onChange={(campaigns) => set({ onCap: { ...fields.onCap, campaigns } })}
                />
                <Select
                  label={words.workflows}
                  value={fields.onCap.workflows}
                  choices={actions(words)}
                  onChange={(workflows) => set({ onCap: { ...fields.onCap, workflows } })}
                />
              </Pair>
              <TextField
                label={words.maxWait}
                name="maxWaitHours"
                type="number"
                min={1}
                max={168}
                value={String(fields.maxWaitHours)}
                onChange={(text) => set({ maxWaitHours: Number(text) })}
                isRequired
              />
            </>
          )}
        </Stack>
      </Card>
    </SaveForm>
  )
}

export const PolicyForm = (): ReactNode => {
  const settings = useRead(["sending"], (api, options) => api.settings.sending(options))
  return (
    <Answer of={settings} height={320}>
      {(found) => <Form key={found.updatedAt} settings={found} />}
    </Answer>
  )
}
