/** The settings of a step, in a panel. Changes are in the drawing at once; undo takes them back. */
import { lazy, type ReactNode, Suspense, useMemo } from "react"
import { Form } from "react-aria-components/Form"
import { Button } from "../../kit/Button.tsx"
import { classes } from "../../kit/classes.ts"
import { DialogButtons, Panel } from "../../kit/Dialog.tsx"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Bar, Row } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { ConditionFields } from "./ConditionFields.tsx"
import { type Config, changed, type Drawing, type DrawnStep } from "./Drawing.ts"
import type { PlacedFaults } from "./faults.ts"
import { ContactFields, ExitFields, MailFields, WaitFields } from "./StepFields.tsx"
import type { StepActions } from "./StepList.tsx"
import { DelayFields, LimitFields, WindowFields } from "./TimingFields.tsx"
import { workflowWords } from "./words.ts"
import own from "./workflows.module.css"

const ExperimentFields = lazy(async () => ({ default: (await import("./ExperimentFields.tsx")).ExperimentFields }))
const ExperimentFigures = lazy(async () => ({ default: (await import("./ExperimentFields.tsx")).ExperimentFigures }))
const SplitFields = lazy(async () => ({ default: (await import("./SplitFields.tsx")).SplitFields }))
const TriggerFields = lazy(async () => ({ default: (await import("./TriggerFields.tsx")).TriggerFields }))
const WebhookFields = lazy(async () => ({ default: (await import("./WebhookFields.tsx")).WebhookFields }))

interface StepSettingsProps {
  readonly step: DrawnStep
  readonly drawing: Drawing
  readonly change: (change: (drawing: Drawing) => Drawing, name?: string) => void
  readonly faults: PlacedFaults | undefined
  readonly templates: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly actions: StepActions
  readonly onClose: () => void
  /** The stored config of the step. Undefined for a new one. */
  readonly stored: Config | undefined
}

const namesOf = ({ branches }: Config): ReadonlyMap<string, string> =>
  new Map(
    ((branches ?? []) as ReadonlyArray<{ readonly id: string; readonly name?: string }>).map(({ id, name }) => [
      id,
      name ?? id
    ])
  )

/** Fields that stand in the form under their own name. All others are listed above it. */
const named =
  /^(?:config\.(?:amount|eventName|timeout|reason|updates|topics|url|headers|body|timeoutSeconds|until\.(?:date|field|offset\.amount|time|timezone)|from|to|timezone|limit|maxWaitHours|salt|experiment\.(?:windowHours|minimumPerBranch)|branches\.\d+\.(?:name|share)|recipient\.customEmail)|triggerConfig\.(?:eventName|schedule|timezone|entryKey))/

export const StepSettings = (props: StepSettingsProps): ReactNode => {
  const { step, drawing, change, faults, templates, actions, onClose, stored } = props
  const words = workflowWords()
  const { id, type, config } = step
  const isTested = stored?.["experiment"] != null
  const put = (next: Partial<DrawnStep>, field: string) =>
    change((before) => changed(before, id, next), `${id} ${field}`)
  const set = (given: Config) => {
    const next = Object.fromEntries(Object.entries({ ...config, ...given }).filter(([, value]) => value !== undefined))
    put({ config: next }, Object.keys(given).join())
  }
  const [errors, others] = useMemo(() => {
    const atFields: Record<string, Array<string>> = {}
    const rest: Array<string> = []
    for (const { field, message } of faults?.errors ?? []) {
      const name = named.exec(field)?.[0]
      if (type === "CONDITION" && field.startsWith("config.")) continue
      if (field.startsWith("triggerConfig.condition.")) continue
      if (name === undefined) rest.push(message)
      else atFields[name] = [...(atFields[name] ?? []), message]
    }
    return [atFields, [...rest, ...(faults?.warnings ?? []).map(({ message }) => message)]]
  }, [faults, type])
  const templateFault = faults?.errors.find(({ field }) => field.endsWith("templateId"))?.message
  const listed = others.filter((message) => message !== templateFault)
  return (
    <Panel title={type === "TRIGGER" ? words.trigger : words.types[type]} onClose={onClose}>
      <Form
        className={styles.stack ?? ""}
        validationErrors={errors}
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
        }}
      >
        {listed.length > 0 && (
          <ul className={classes(own.faults, (faults?.errors.length ?? 0) === 0 && own.remarks)}>
            {listed.map((message) => (
              <li key={message}>
                <Foreign>{message}</Foreign>
              </li>
            ))}
          </ul>
        )}
        <TextField
          label={words.name}
          value={step.name}
          maxLength={100}
          autoFocus
          onChange={(name) => put({ name }, "name")}
        />
        {type === "SEND_EMAIL" && (
          <MailFields
            step={step}
            config={config}
            set={set}
            templates={templates}
            fault={templateFault}
            setTemplate={(templateId) => put({ templateId }, "template")}
          />
        )}
        {type === "DELAY" && <DelayFields config={config} set={set} />}
        {type === "WAIT_FOR_EVENT" && <WaitFields config={config} set={set} />}
        {type === "CONDITION" && <ConditionFields config={config} set={set} faults={faults} />}
        <Suspense fallback={<Bar height={240} />}>
          {type === "TRIGGER" && (
            <TriggerFields
              drawing={drawing}
              faults={faults?.errors.filter(({ field }) => field.startsWith("triggerConfig.condition"))}
              set={(next) => change((before) => ({ ...before, ...next }), `trigger ${next.triggerType}`)}
            />
          )}
          {type === "SPLIT" && (
            <>
              <SplitFields config={config} set={set} />
              <ExperimentFields config={config} set={set} />
            </>
          )}
          {type === "WEBHOOK" && <WebhookFields config={config} set={set} />}
        </Suspense>
        {type === "TIME_WINDOW" && <WindowFields config={config} set={set} />}
        {type === "RATE_LIMIT" && <LimitFields config={config} set={set} />}
        {type === "UPDATE_CONTACT" && <ContactFields config={config} set={set} />}
        {type === "EXIT" && <ExitFields config={config} set={set} />}
        <DialogButtons>
          <Button kind="primary" type="submit">
            {words.done}
          </Button>
        </DialogButtons>
      </Form>
      {type === "SPLIT" && isTested && (
        <Suspense fallback={<Bar height={160} />}>
          <ExperimentFigures step={id} nameOf={(branch) => namesOf(config).get(branch) ?? branch} />
        </Suspense>
      )}
      <Row>
        {type !== "EXIT" && (
          <>
            <Button onPress={() => actions.insert(id)}>{words.insert}</Button>
            <Button onPress={() => actions.connect(id)}>{words.connect}</Button>
          </>
        )}
        {type !== "TRIGGER" && <Button onPress={() => actions.remove(id)}>{words.removeStep}</Button>}
      </Row>
    </Panel>
  )
}
