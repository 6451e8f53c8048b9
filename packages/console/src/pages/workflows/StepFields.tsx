/** The settings of the steps with a few fields: mail, wait, exit and contact. */
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import { Pair } from "../../kit/Layout.tsx"
import { TopicField } from "../../kit/TopicField.tsx"
import type { Config, DrawnStep } from "./Drawing.ts"
import { EventMatchFields } from "./EventMatchFields.tsx"
import { JsonField } from "./JsonField.tsx"
import { secondsOf, spanOf } from "./stepText.ts"
import { TopicStatesFields } from "./TopicStatesFields.tsx"
import { workflowWords } from "./words.ts"

export interface FieldsProps {
  readonly config: Config
  /** Fields with the value undefined are left out. */
  readonly set: (change: Config) => void
}

export const fieldText = (value: unknown) => (value == null ? "" : String(value))

/** A number as it is typed: what is none is kept as text, which the service refuses in words. */
export const numberOf = (given: string): unknown =>
  given.trim() === "" ? undefined : Number.isNaN(Number(given)) ? given : Number(given)

export const EventField = ({
  label,
  name,
  value,
  onChange
}: {
  readonly label: string
  readonly name: string
  readonly value: unknown
  readonly onChange: (value: string) => void
}): ReactNode => {
  const { data } = useRead(["events", "names", "all"], (api, options) => api.events.names({ source: "all" }, options), {
    staleTime: 60_000
  })
  const list = `${name} proposals`.replaceAll(/\W/g, "-")
  return (
    <>
      <TextField label={label} name={name} value={fieldText(value)} onChange={onChange} list={list} maxLength={255} />
      <datalist id={list}>
        {data?.eventNames.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}

interface MailProps extends FieldsProps {
  readonly step: DrawnStep
  readonly setTemplate: (id: string | null) => void
  readonly templates: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly fault: string | undefined
}

export const MailFields = ({ step, config, set, setTemplate, templates, fault }: MailProps): ReactNode => {
  const { fields } = workflowWords()
  const recipient = (config["recipient"] ?? {}) as { readonly type?: string; readonly customEmail?: string }
  const isCustom = recipient.type === "CUSTOM"
  return (
    <>
      <Select
        label={fields.template}
        value={step.templateId ?? ""}
        placeholder={fields.chooseTemplate}
        help={templates.length === 0 ? fields.noTemplates : undefined}
        fault={fault}
        choices={templates}
        onChange={(id) => setTemplate(id || null)}
      />
      <Select<"CONTACT" | "CUSTOM">
        label={fields.recipient}
        value={isCustom ? "CUSTOM" : "CONTACT"}
        choices={(["CONTACT", "CUSTOM"] as const).map((id) => ({ id, name: fields.recipients[id] }))}
        onChange={(type) => set({ recipient: type === "CUSTOM" ? { type, customEmail: "" } : undefined })}
      />
      {isCustom && (
        <TextField
          label={fields.address}
          name="config.recipient.customEmail"
          help={fields.addressHelp}
          value={fieldText(recipient.customEmail)}
          onChange={(customEmail) => set({ recipient: { type: "CUSTOM", customEmail } })}
        />
      )}
      <TopicField
        value={typeof config["topicId"] === "string" ? config["topicId"] : null}
        none={fields.topicOfTemplate}
        onChange={(topicId) => set({ topicId: topicId ?? undefined })}
      />
    </>
  )
}

export const units = ["minutes", "hours", "days", "weeks"] as const

export const WaitFields = ({ config, set }: FieldsProps): ReactNode => {
  const { fields } = workflowWords()
  const timeout = config["timeout"]
  const [amount, unit] = typeof timeout === "number" ? spanOf(timeout) : [fieldText(timeout), "days" as const]
  return (
    <>
      <EventField
        label={fields.eventName}
        name="config.eventName"
        value={config["eventName"]}
        onChange={(eventName) => set({ eventName })}
      />
      <EventMatchFields
        eventName={config["eventName"]}
        value={config}
        onChange={(next) => set({ ...next })}
        hasVariables
      />
      <Checkbox
        isSelected={timeout !== undefined}
        onChange={(isOn) => set({ timeout: isOn ? secondsOf(3, "days") : undefined })}
      >
        {fields.hasTimeout}
      </Checkbox>
      {timeout !== undefined && (
        <Pair>
          <TextField
            label={fields.timeout}
            name="config.timeout"
            inputMode="numeric"
            value={fieldText(amount)}
            onChange={(given) => {
              const read = numberOf(given)
              set({ timeout: typeof read === "number" ? secondsOf(read, unit) : given })
            }}
          />
          <Select
            label={fields.unit}
            value={unit}
            choices={units.map((id) => ({ id, name: fields.units[id] }))}
            onChange={(next) => set({ timeout: secondsOf(Number(amount) || 1, next) })}
          />
        </Pair>
      )}
    </>
  )
}

export const ExitFields = ({ config, set }: FieldsProps): ReactNode => {
  const { fields } = workflowWords()
  return (
    <TextField
      label={fields.reason}
      name="config.reason"
      help={fields.reasonHelp}
      maxLength={200}
      value={fieldText(config["reason"])}
      onChange={(reason) => set({ reason: reason || undefined })}
    />
  )
}

export const ContactFields = ({ config, set }: FieldsProps): ReactNode => {
  const { fields } = workflowWords()
  return (
    <>
      <JsonField
        label={fields.updates}
        name="config.updates"
        help={fields.updatesHelp}
        value={config["updates"]}
        onChange={(updates) => set({ updates })}
        isObject
      />
      <Select<"none" | "subscribe" | "unsubscribe">
        label={fields.subscription}
        value={(config["subscriptionAction"] as "none" | undefined) ?? "none"}
        choices={(["none", "subscribe", "unsubscribe"] as const).map((id) => ({ id, name: fields.subscriptions[id] }))}
        onChange={(action) => set({ subscriptionAction: action === "none" ? undefined : action })}
      />
      <TopicStatesFields config={config} set={set} />
    </>
  )
}
