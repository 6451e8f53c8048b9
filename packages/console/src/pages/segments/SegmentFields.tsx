/** The fields of a segment, with the count of a condition beside it. */

import type { PosthornError } from "@posthorn/client/session"
import { type ReactNode, useEffect, useRef } from "react"
import { Form } from "react-aria-components/Form"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { ConditionBuilder, useConditionGaps } from "../../kit/conditions/ConditionBuilder.tsx"
import { LiveCount } from "../../kit/conditions/LiveCount.tsx"
import type { TreeFault } from "../../kit/conditions/Vocabulary.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Checkbox, RadioGroup, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Card, Notice, Pair, Problem, Row } from "../../kit/Layout.tsx"
import type { CodeCall } from "../../kit/samples.ts"
import type { Draft } from "./Draft.ts"
import styles from "./segments.module.css"
import { segmentWords } from "./words.ts"

/** What is missing, as a fault at the field. An empty list: the draft can be saved. */
export const useDraftGaps = (): ((draft: Draft) => ReadonlyArray<TreeFault>) => {
  const { nameMissing } = segmentWords()
  const conditionGaps = useConditionGaps()
  return ({ name, type, condition }) => [
    ...(name.trim() === "" ? [{ field: "name", message: nameMissing }] : []),
    ...(type === "DYNAMIC" ? conditionGaps(condition) : [])
  ]
}

interface SegmentFieldsProps {
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  readonly isNew: boolean
  /** Whether the stored segment is tracked already. */
  readonly wasTracked: boolean
  /** What was missing when the form was sent. */
  readonly gaps: ReadonlyArray<TreeFault>
  readonly error: PosthornError | null
  readonly isPending: boolean
  /** The call that the button makes. */
  readonly call: CodeCall
  readonly onSubmit: () => void
}

export const SegmentFields = (props: SegmentFieldsProps): ReactNode => {
  const { draft, onChange, isNew, wasTracked, gaps, error, isPending, call, onSubmit } = props
  const words = segmentWords()
  const faults = faultsOf(error, ["name", "description", "condition", "trackMembership"])
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  const isDynamic = draft.type === "DYNAMIC"
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (gaps.length === 0 && error === null) return
    form.current?.querySelector<HTMLElement>("input[data-invalid], [data-faulty] select")?.focus()
  }, [gaps, error])
  const nameFaults = gaps.filter(({ field }) => field === "name").map(({ message }) => message)
  return (
    <Form
      ref={form}
      className={kit.stack ?? ""}
      validationBehavior="aria"
      validationErrors={{ ...faults.fields, ...(nameFaults.length > 0 && { name: nameFaults }) }}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Card>
        <div className={kit.stack}>
          {isNew && (
            <RadioGroup
              label={words.type}
              value={draft.type}
              choices={(["DYNAMIC", "STATIC"] as const).map((id) => ({
                id,
                name: words.types[id],
                help: words.typeHelp[id]
              }))}
              onChange={(type) => set({ type })}
            />
          )}
          <Pair>
            <TextField
              label={words.name}
              name="name"
              value={draft.name}
              onChange={(name) => set({ name })}
              maxLength={100}
            />
            <TextField
              label={words.description}
              name="description"
              value={draft.description}
              onChange={(description) => set({ description })}
              maxLength={500}
            />
          </Pair>
          <div className={styles.tracking}>
            <Checkbox isSelected={draft.trackMembership} onChange={(trackMembership) => set({ trackMembership })}>
              {words.track}
            </Checkbox>
            <span className={kit.help}>{words.trackHelp}</span>
            {isDynamic && draft.trackMembership && !wasTracked && (
              <Checkbox isSelected={draft.silentStart} onChange={(silentStart) => set({ silentStart })}>
                {words.silent}
              </Checkbox>
            )}
          </div>
        </div>
      </Card>
      {isDynamic && (
        <div className={styles.columns}>
          <Card title={words.condition}>
            <ConditionBuilder
              value={draft.condition}
              onChange={(condition) => set({ condition })}
              faults={error === null ? gaps : error.errors.filter(({ field }) => /^condition(?:\.|$)/.test(field))}
            />
          </Card>
          <LiveCount condition={draft.condition} />
        </div>
      )}
      {gaps.length > 0 && (
        <div role="alert">
          <Notice tone="warning">{words.missing}</Notice>
        </div>
      )}
      {faults.rest !== null && <Problem error={faults.rest} />}
      <Row>
        <Button kind="primary" type="submit" isPending={isPending}>
          {isNew ? words.create : words.save}
        </Button>
        <ShowCode call={call} />
      </Row>
    </Form>
  )
}
