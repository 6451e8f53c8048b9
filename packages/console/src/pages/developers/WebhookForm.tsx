import type { CreatedWebhook, Webhook } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Checkbox, TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Row } from "../../kit/Layout.tsx"
import { webhookEvents } from "./webhookEvents.ts"
import { developerWords } from "./words.ts"

interface WebhookFormProps {
  readonly webhook?: Webhook | undefined
  readonly onSaved: (saved: Webhook | CreatedWebhook) => void
}

export const WebhookForm = ({ webhook, onSaved }: WebhookFormProps): ReactNode => {
  const words = developerWords()
  const [fields, setFields] = useState({
    url: webhook?.url ?? "",
    description: webhook?.description ?? "",
    events: webhook?.events ?? (["*"] as ReadonlyArray<string>),
    testMode: webhook?.testMode ?? false
  })
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change })
  const body = { ...fields, description: fields.description || null }
  const save = useWrite<Webhook | CreatedWebhook>(
    (api) =>
      webhook === undefined
        ? api.webhooks.create(body)
        : api.webhooks.update(webhook.id, { ...body, ifUpdatedAt: webhook.updatedAt }),
    { changes: ["webhooks"], onDone: onSaved }
  )
  const faults = faultsOf(save.error, ["url", "description", "events"])
  const isAll = fields.events.includes("*")
  return (
    <DialogForm
      faults={faults}
      submit={webhook === undefined ? words.create : words.save}
      isPending={save.isPending}
      code={
        <ShowCode
          call={
            webhook === undefined
              ? { operation: "webhooks.create", body }
              : { operation: "webhooks.update", path: [webhook.id], body }
          }
        />
      }
      onSubmit={() => save.mutate()}
    >
      <TextField
        label={words.url}
        name="url"
        type="url"
        value={fields.url}
        onChange={(url) => set({ url })}
        isRequired
        autoFocus
      />
      <TextField
        label={words.description}
        name="description"
        value={fields.description}
        onChange={(description) => set({ description })}
      />
      <fieldset className={styles.group}>
        <legend className={styles.label}>{words.events}</legend>
        <Checkbox isSelected={isAll} onChange={(chosen) => set({ events: chosen ? ["*"] : [] })}>
          {words.allEvents}
        </Checkbox>
        {!isAll && (
          <Row>
            {webhookEvents.map((name) => (
              <Checkbox
                key={name}
                isSelected={fields.events.includes(name)}
                onChange={(chosen) =>
                  set({ events: chosen ? [...fields.events, name] : fields.events.filter((each) => each !== name) })
                }
              >
                <code>{name}</code>
              </Checkbox>
            ))}
          </Row>
        )}
        {faults.fields["events"] !== undefined && <span className={styles.fault}>{faults.fields["events"][0]}</span>}
      </fieldset>
      <Checkbox isSelected={fields.testMode} onChange={(testMode) => set({ testMode })}>
        {words.testMode}
      </Checkbox>
    </DialogForm>
  )
}
