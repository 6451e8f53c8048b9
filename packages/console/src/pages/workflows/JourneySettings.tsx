/** The goal of a workflow, and what ends its executions early. */
import type { UpdateWorkflow, WorkflowDetail } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import { Card, Pair, Row } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { TopicField } from "../../kit/TopicField.tsx"
import { EventMatchFields } from "./EventMatchFields.tsx"
import { EventField, fieldText, numberOf } from "./StepFields.tsx"
import type { Editing } from "./useDrawing.ts"
import { workflowWords } from "./words.ts"

type Goal = { readonly [field: string]: unknown }
type Rule = { readonly id: string; readonly type: string; readonly [field: string]: unknown }

const types = ["EVENT", "LEFT_SEGMENT", "UNSUBSCRIBED", "TOPIC_OFF"] as const

const without = <A extends object>(fields: A): A => JSON.parse(JSON.stringify(fields)) as A

interface GoalProps {
  readonly goal: Goal
  readonly set: (goal: Goal) => void
}

const GoalFields = ({ goal, set }: GoalProps): ReactNode => {
  const { journey, fields } = workflowWords()
  const change = (next: Goal) => set(without({ ...goal, ...next }))
  const revenue = goal["revenue"] as { readonly path?: string; readonly currency?: string } | undefined
  return (
    <>
      <EventField
        label={fields.eventName}
        name="goal.eventName"
        value={goal["eventName"]}
        onChange={(eventName) => change({ eventName })}
      />
      <EventMatchFields
        eventName={goal["eventName"]}
        value={goal}
        onChange={(next) => change({ ...next })}
        hasVariables
      />
      <TextField
        label={journey.window}
        name="goal.windowHours"
        inputMode="numeric"
        help={journey.windowHelp}
        value={fieldText(goal["windowHours"])}
        onChange={(hours) => change({ windowHours: numberOf(hours) })}
      />
      <Checkbox isSelected={goal["exit"] !== false} onChange={(isOn) => change({ exit: isOn ? undefined : false })}>
        {journey.exit}
      </Checkbox>
      <Checkbox
        isSelected={revenue !== undefined}
        onChange={(isOn) => change({ revenue: isOn ? { path: "total", currency: "EUR" } : undefined })}
      >
        {journey.hasRevenue}
      </Checkbox>
      {revenue !== undefined && (
        <Pair>
          <TextField
            label={journey.amount}
            name="goal.revenue.path"
            value={fieldText(revenue.path)}
            onChange={(path) => change({ revenue: { ...revenue, path } })}
          />
          <TextField
            label={journey.currency}
            name="goal.revenue.currency"
            maxLength={3}
            value={fieldText(revenue.currency)}
            onChange={(currency) => change({ revenue: { path: revenue.path, currency } })}
          />
        </Pair>
      )}
    </>
  )
}

interface RuleProps {
  readonly rule: Rule
  readonly place: string
  readonly segments: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly set: (rule: Rule) => void
}

const RuleFields = ({ rule, place, segments, set }: RuleProps): ReactNode => {
  const { journey, fields } = workflowWords()
  const change = (next: object) => set(without({ ...rule, ...next }))
  return (
    <>
      <Select
        label={journey.when}
        value={rule.type}
        choices={types.map((id) => ({ id: id as string, name: journey.rules[id] }))}
        onChange={(type) => set({ id: rule.id, type })}
      />
      {rule.type === "EVENT" && (
        <>
          <EventField
            label={fields.eventName}
            name={`${place}.eventName`}
            value={rule["eventName"]}
            onChange={(eventName) => change({ eventName })}
          />
          <EventMatchFields
            eventName={rule["eventName"]}
            value={{ where: rule["where"], verdict: rule["verdict"] }}
            onChange={change}
            hasVariables
          />
        </>
      )}
      {rule.type === "LEFT_SEGMENT" && (
        <Select
          label={journey.segment}
          value={fieldText(rule["segmentId"])}
          placeholder={journey.chooseSegment}
          choices={segments}
          onChange={(segmentId) => change({ segmentId })}
        />
      )}
      {rule.type === "TOPIC_OFF" && (
        <TopicField
          value={typeof rule["topicId"] === "string" ? rule["topicId"] : null}
          none={journey.chooseTopic}
          onChange={(topicId) => change({ topicId: topicId ?? undefined })}
        />
      )}
    </>
  )
}

const newRule = (rules: ReadonlyArray<Rule>): Rule => {
  const taken = new Set(rules.map(({ id }) => id))
  let number = rules.length + 1
  while (taken.has(`rule-${number}`)) number += 1
  return { id: `rule-${number}`, type: "EVENT" }
}

interface JourneyProps {
  readonly workflow: WorkflowDetail
  readonly editing: Editing
  readonly onClose: () => void
}

/** Fields that stand in the form under their own name. All others are listed above it. */
const named = ["goal.eventName", "goal.windowHours", "goal.revenue.path", "goal.revenue.currency"]

export const JourneySettings = ({ workflow, editing, onClose }: JourneyProps): ReactNode => {
  const words = workflowWords()
  const { journey } = words
  const [goal, setGoal] = useState(workflow.goal as Goal | null)
  const [rules, setRules] = useState(workflow.exitRules as ReadonlyArray<Rule>)
  const segments = useRead(["segments"], (api, options) => api.segments.list(options), { staleTime: 60_000 })
  const save = useWrite(
    (api) =>
      api.workflows.update(workflow.id, {
        goal: goal as object | null as NonNullable<UpdateWorkflow["goal"]> | null,
        exitRules: rules as NonNullable<UpdateWorkflow["exitRules"]>,
        ifUpdatedAt: editing.base.updatedAt
      }),
    {
      changes: ["workflows"],
      onDone: (stored) => {
        editing.stamp(stored)
        onClose()
        notify(words.saved)
      }
    }
  )
  const faults = faultsOf(save.error, [...named, ...rules.map((_, n) => `exitRules.${n}.eventName`)])
  return (
    <Dialog title={journey.title} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm faults={faults} submit={words.save} isPending={save.isPending} onSubmit={() => save.mutate()}>
        <Checkbox isSelected={goal !== null} onChange={(isOn) => setGoal(isOn ? { eventName: "" } : null)}>
          {journey.hasGoal}
        </Checkbox>
        {goal !== null && <GoalFields goal={goal} set={setGoal} />}
        {rules.map((rule, at) => (
          <Card
            key={rule.id}
            title={journey.rule(at + 1)}
            actions={
              <Button kind="quiet" onPress={() => setRules(rules.filter(({ id }) => id !== rule.id))}>
                {journey.removeRule(at + 1)}
              </Button>
            }
          >
            <RuleFields
              rule={rule}
              place={`exitRules.${at}`}
              segments={segments.data ?? []}
              set={(next) => setRules(rules.map((each, n) => (n === at ? next : each)))}
            />
          </Card>
        ))}
        {rules.length < 10 && (
          <Row>
            <Button onPress={() => setRules([...rules, newRule(rules)])}>{journey.addRule}</Button>
          </Row>
        )}
      </DialogForm>
    </Dialog>
  )
}
