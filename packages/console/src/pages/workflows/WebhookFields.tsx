import type { ReactNode } from "react"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import type { Config } from "./Drawing.ts"
import { JsonField } from "./JsonField.tsx"
import { type FieldsProps, fieldText, numberOf } from "./StepFields.tsx"
import { workflowWords } from "./words.ts"

/** Headers as lines. A line without a colon is a header without a value. */
const headerLines = (headers: unknown) =>
  Object.entries((headers ?? {}) as Record<string, string>)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

const headersOf = (lines: string): Config | undefined => {
  const entries = lines.split("\n").flatMap((line) => {
    const at = line.indexOf(":")
    const name = (at < 0 ? line : line.slice(0, at)).trim()
    return name === "" ? [] : [[name, at < 0 ? "" : line.slice(at + 1).trim()] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

export const WebhookFields = ({ config, set }: FieldsProps): ReactNode => {
  const { fields } = workflowWords()
  return (
    <>
      <TextField
        label={fields.url}
        name="config.url"
        help={fields.templateHelp}
        value={fieldText(config["url"])}
        onChange={(url) => set({ url })}
      />
      <Select
        label={fields.method}
        value={(config["method"] as "POST" | undefined) ?? "POST"}
        choices={(["GET", "POST", "PUT", "PATCH", "DELETE"] as const).map((id) => ({ id, name: id }))}
        onChange={(method) => set({ method })}
      />
      <TextField
        label={fields.headers}
        name="config.headers"
        help={fields.headersHelp}
        rows={3}
        defaultValue={headerLines(config["headers"])}
        onChange={(lines) => set({ headers: headersOf(lines) })}
      />
      <JsonField
        label={fields.body}
        name="config.body"
        help={fields.bodyHelp}
        value={config["body"]}
        onChange={(body) => set({ body })}
      />
      <TextField
        label={fields.timeoutSeconds}
        name="config.timeoutSeconds"
        inputMode="numeric"
        value={fieldText(config["timeoutSeconds"])}
        onChange={(seconds) => set({ timeoutSeconds: numberOf(seconds) })}
      />
      <Checkbox
        isSelected={config["continueOnError"] === true}
        onChange={(isOn) => set({ continueOnError: isOn || undefined })}
      >
        {fields.continueOnError}
      </Checkbox>
    </>
  )
}
