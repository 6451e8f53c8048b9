/** The settings of the steps that wait for a time: delay, time window and rate limit. */
import type { ReactNode } from "react"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import { Pair } from "../../kit/Layout.tsx"
import { Weekdays, weekdays } from "../../kit/Weekdays.tsx"
import { type Config, delayKind, delayKinds } from "./Drawing.ts"
import { type FieldsProps, fieldText, numberOf, units } from "./StepFields.tsx"
import { workflowWords } from "./words.ts"

const without = (config: Config) =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))

interface ValueProps<A> {
  readonly value: A
  readonly onChange: (value: A) => void
}

const Zone = ({ value, onChange, name }: ValueProps<unknown> & { readonly name: string }) => {
  const { fields } = workflowWords()
  const kind = value == null || value === "CONTACT" ? "CONTACT" : value === "PROJECT" ? "PROJECT" : "NAMED"
  return (
    <Pair>
      <Select<"CONTACT" | "PROJECT" | "NAMED">
        label={fields.zoneOf}
        value={kind}
        choices={(["CONTACT", "PROJECT", "NAMED"] as const).map((id) => ({ id, name: fields.zones[id] }))}
        onChange={(next) => onChange(next === "CONTACT" ? undefined : next === "NAMED" ? "UTC" : next)}
      />
      {kind === "NAMED" && (
        <TextField label={fields.timezone} name={name} value={fieldText(value)} maxLength={100} onChange={onChange} />
      )}
    </Pair>
  )
}

const today = () => new Date().toISOString().slice(0, 10)

const startOf = {
  span: () => ({ amount: 1, unit: "days" }),
  weekdays: () => ({ until: { weekdays: ["MON"], time: "09:00" } }),
  date: () => ({ until: { date: today(), time: "09:00" } }),
  field: () => ({ until: { field: "data." } })
}

export const DelayFields = ({ config, set }: FieldsProps): ReactNode => {
  const { fields } = workflowWords()
  const kind = delayKind(config)
  const until = (config["until"] ?? {}) as Config
  const offset = (until["offset"] ?? undefined) as { readonly amount?: unknown; readonly unit?: string } | undefined
  const put = (change: Config) => set({ until: without({ ...until, ...change }) })
  return (
    <>
      <Select
        label={fields.delay}
        value={kind}
        choices={delayKinds.map((id) => ({ id, name: fields.delays[id] }))}
        onChange={(next) => set({ amount: undefined, unit: undefined, until: undefined, ...startOf[next]() })}
      />
      {kind === "span" && (
        <Pair>
          <TextField
            label={fields.amount}
            name="config.amount"
            inputMode="decimal"
            value={fieldText(config["amount"])}
            onChange={(amount) => set({ amount: numberOf(amount) })}
          />
          <Select
            label={fields.unit}
            value={config["unit"] as (typeof units)[number]}
            choices={units.map((id) => ({ id, name: fields.units[id] }))}
            onChange={(unit) => set({ unit })}
          />
        </Pair>
      )}
      {kind === "weekdays" && (
        <Weekdays
          label={fields.days}
          value={until["weekdays"] as ReadonlyArray<string>}
          onChange={(next) => put({ weekdays: next })}
        />
      )}
      {kind === "date" && (
        <TextField
          label={fields.date}
          name="config.until.date"
          type="date"
          value={fieldText(until["date"])}
          onChange={(date) => put({ date })}
        />
      )}
      {kind === "field" && (
        <>
          <TextField
            label={fields.field}
            name="config.until.field"
            help={fields.fieldHelp}
            value={fieldText(until["field"])}
            maxLength={300}
            onChange={(field) => put({ field })}
          />
          <Checkbox
            isSelected={offset !== undefined}
            onChange={(isOn) => put({ offset: isOn ? { amount: -1, unit: "days" } : undefined })}
          >
            {fields.hasOffset}
          </Checkbox>
          {offset !== undefined && (
            <Pair>
              <TextField
                label={fields.offset}
                name="config.until.offset.amount"
                help={fields.offsetHelp}
                value={fieldText(offset.amount)}
                onChange={(amount) => put({ offset: { ...offset, amount: numberOf(amount) } })}
              />
              <Select
                label={fields.unit}
                value={offset.unit as (typeof units)[number]}
                choices={units.map((id) => ({ id, name: fields.units[id] }))}
                onChange={(unit) => put({ offset: { ...offset, unit } })}
              />
            </Pair>
          )}
          <Checkbox
            isSelected={until["anniversary"] === true}
            onChange={(isOn) => put({ anniversary: isOn ? true : undefined })}
          >
            {fields.anniversary}
          </Checkbox>
        </>
      )}
      {kind !== "span" && (
        <>
          <TextField
            label={fields.time}
            name="config.until.time"
            type="time"
            help={kind === "field" ? fields.fieldTimeHelp : undefined}
            value={fieldText(until["time"])}
            onChange={(time) => put({ time: time || undefined })}
          />
          <Zone name="config.until.timezone" value={until["timezone"]} onChange={(timezone) => put({ timezone })} />
        </>
      )}
    </>
  )
}

export const WindowFields = ({ config, set }: FieldsProps): ReactNode => {
  const { fields } = workflowWords()
  return (
    <>
      <Pair>
        <TextField
          label={fields.from}
          name="config.from"
          type="time"
          value={fieldText(config["from"])}
          onChange={(from) => set({ from })}
        />
        <TextField
          label={fields.to}
          name="config.to"
          type="time"
          value={fieldText(config["to"])}
          onChange={(to) => set({ to })}
        />
      </Pair>
      <Weekdays
        label={fields.days}
        value={(config["days"] as ReadonlyArray<string> | undefined) ?? weekdays}
        onChange={(days) => set({ days: days.length === weekdays.length ? undefined : days })}
      />
      <Zone name="config.timezone" value={config["timezone"]} onChange={(timezone) => set({ timezone })} />
    </>
  )
}

const pers = ["minute", "hour", "day"] as const

export const LimitFields = ({ config, set }: FieldsProps): ReactNode => {
  const { fields } = workflowWords()
  const isBranch = config["onExceeded"] === "BRANCH"
  return (
    <>
      <Pair>
        <TextField
          label={fields.limit}
          name="config.limit"
          inputMode="numeric"
          value={fieldText(config["limit"])}
          onChange={(limit) => set({ limit: numberOf(limit) })}
        />
        <Select
          label={fields.per}
          value={config["per"] as (typeof pers)[number]}
          choices={pers.map((id) => ({ id, name: fields.pers[id] }))}
          onChange={(per) => set({ per })}
        />
      </Pair>
      <Select<"WAIT" | "BRANCH">
        label={fields.onExceeded}
        value={isBranch ? "BRANCH" : "WAIT"}
        choices={(["WAIT", "BRANCH"] as const).map((id) => ({ id, name: fields.exceeding[id] }))}
        onChange={(next) => set({ onExceeded: next === "BRANCH" ? next : undefined, maxWaitHours: undefined })}
      />
      {!isBranch && (
        <TextField
          label={fields.maxWaitHours}
          name="config.maxWaitHours"
          help={fields.maxWaitHelp}
          inputMode="numeric"
          value={fieldText(config["maxWaitHours"])}
          onChange={(hours) => set({ maxWaitHours: numberOf(hours) })}
        />
      )}
    </>
  )
}
