/** Asks for what a change of many contacts needs, and shows how many it reaches before it runs. */
import type { BulkSelect, ChangeContacts } from "@posthorn/client/session"
import { type ReactNode, useId, useState } from "react"
import { useRead } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { Select, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Answer, Stack } from "../../kit/Layout.tsx"
import { Foreign, numberText } from "../../kit/Text.tsx"
import { useSettled } from "../../kit/useSettled.ts"
import { bulkWords } from "./bulkWords.ts"
import type { Operation } from "./useBulk.ts"
import { type Parsed, parseValue, type ValueType } from "./Values.ts"
import { contactWords } from "./words.ts"

/** Above it, the number is typed. */
const many = 1_000

interface BulkDialogProps {
  readonly operation: Operation
  readonly select: BulkSelect
  readonly onClose: () => void
  readonly onConfirm: (change: ChangeContacts) => void
}

const Segment = ({ value, onChange }: { readonly value: string; readonly onChange: (id: string) => void }) => {
  const words = bulkWords()
  const segments = useRead(["segments", "choices"], (api, options) => api.segments.list(options))
  const choices = segments.data?.filter(({ type }) => type === "STATIC").map(({ id, name }) => ({ id, name }))
  if (choices?.length === 0) return <p>{words.noSegments}</p>
  return (
    <Select
      label={words.segment}
      placeholder={words.chooseSegment}
      choices={choices ?? []}
      value={value}
      onChange={onChange}
    />
  )
}

type State = "subscribed" | "unsubscribed" | "unset"

const Topic = (props: {
  readonly topic: string
  readonly state: State
  readonly onChange: (topic: string, state: State) => void
}) => {
  const words = bulkWords()
  const { topic, state, onChange } = props
  const topics = useRead(["topics", "list", false], (api, options) => api.topics.list({}, options))
  if (topics.data?.length === 0) return <p>{words.noTopics}</p>
  return (
    <>
      <Select
        label={words.topic}
        placeholder={words.chooseTopic}
        choices={(topics.data ?? []).map(({ key, name }) => ({ id: key, name }))}
        value={topic}
        onChange={(key) => onChange(key, state)}
      />
      <Select<State>
        label={words.topicState}
        choices={(["subscribed", "unsubscribed", "unset"] as const).map((id) => ({ id, name: words.topicStates[id] }))}
        value={state}
        onChange={(next) => onChange(topic, next)}
      />
    </>
  )
}

/** A field of the data and its new value. Null removes it. */
interface Change {
  readonly key: string
  readonly kind: ValueType | "none"
  readonly text: string
}

const parsedOf = ({ kind, text }: Change): Parsed => (kind === "none" ? { value: null } : parseValue(text, kind))

const DataChange = ({ value, onChange }: { readonly value: Change; readonly onChange: (change: Change) => void }) => {
  const words = bulkWords()
  const { faults } = contactWords()
  const list = useId()
  const known = useRead(["contacts", "fields"], (api, options) => api.contacts.fields(options), { staleTime: 60_000 })
  const parsed = parsedOf(value)
  const fault = "fault" in parsed && value.text !== "" ? faults[parsed.fault] : undefined
  return (
    <>
      <TextField
        label={words.field}
        help={words.fieldHelp}
        value={value.key}
        list={list}
        autoComplete="off"
        maxLength={200}
        autoFocus
        onChange={(key) => onChange({ ...value, key })}
      />
      <datalist id={list}>
        {known.data?.fields.flatMap(({ field }) =>
          field.startsWith("data.") ? [<option key={field} value={field.slice("data.".length)} />] : []
        )}
      </datalist>
      <Select<Change["kind"]>
        label={words.how}
        choices={(["string", "number", "boolean", "json", "none"] as const).map((id) => ({
          id,
          name: words.kinds[id]
        }))}
        value={value.kind}
        onChange={(kind) => onChange({ ...value, kind, text: kind === "boolean" ? "true" : value.text })}
      />
      {value.kind === "boolean" ? (
        <Select
          label={words.value}
          choices={(["true", "false"] as const).map((id) => ({ id, name: words.flags[id] }))}
          value={value.text === "false" ? "false" : "true"}
          onChange={(text) => onChange({ ...value, text })}
        />
      ) : (
        value.kind !== "none" && (
          <TextField
            label={words.value}
            value={value.text}
            isInvalid={fault !== undefined}
            help={fault}
            onChange={(text) => onChange({ ...value, text })}
          />
        )
      )}
    </>
  )
}

const noChange: Change = { key: "", kind: "string", text: "" }

/** `data.plan` is the field `plan`. */
const keyOf = ({ key }: Change) => key.trim().replace(/^data\./, "")

export const BulkDialog = ({ operation, select, onClose, onConfirm }: BulkDialogProps): ReactNode => {
  const words = bulkWords()
  const [segment, setSegment] = useState("")
  const [topic, setTopic] = useState<readonly [key: string, state: State]>(["", "subscribed"])
  const [change, setChange] = useState(noChange)
  const settled = useSettled(change, 400)
  const [typed, setTyped] = useState("")
  const [isWrong, setWrong] = useState(false)
  const isOfSegment = operation === "add-to-segment" || operation === "remove-from-segment"
  const parsed = parsedOf(settled)
  const body: ChangeContacts = {
    operation,
    select,
    ...(isOfSegment && { targetSegmentId: segment }),
    ...(operation === "set-topics" && { topics: { [topic[0]]: topic[1] } }),
    ...(operation === "set-data" && "value" in parsed && { data: { [keyOf(settled)]: parsed.value } })
  }
  const isGiven: { readonly [O in Operation]?: boolean } = {
    "add-to-segment": segment !== "",
    "remove-from-segment": segment !== "",
    "set-topics": topic[0] !== "",
    "set-data": settled === change && keyOf(change) !== "" && "value" in parsed
  }
  const isReady = isGiven[operation] ?? true
  const preview = useRead(
    ["contacts", "bulk", JSON.stringify(body)],
    (api, options) => api.contacts.bulk({ ...body, dryRun: true }, options),
    { enabled: isReady, staleTime: 60_000 }
  )
  const found = isReady && preview.data !== undefined && "count" in preview.data ? preview.data : undefined
  const confirm = () => {
    if (found === undefined) return
    if (found.count > many && typed.trim() !== String(found.count)) return setWrong(true)
    onConfirm({ ...body, confirmationToken: found.confirmationToken })
  }
  return (
    <Dialog
      title={words.operations[operation]}
      role="alertdialog"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Stack>
        {isOfSegment && <Segment value={segment} onChange={setSegment} />}
        {operation === "set-topics" && (
          <Topic topic={topic[0]} state={topic[1]} onChange={(key, state) => setTopic([key, state])} />
        )}
        {operation === "set-data" && <DataChange value={change} onChange={setChange} />}
        {operation === "delete" && <p>{words.deleteAbout}</p>}
        {isReady && (
          <Answer of={preview} height={64}>
            {() =>
              found !== undefined && (
                <div>
                  <strong role="status">{words.reaches(found.count)}</strong>
                  {found.sample.length > 0 && (
                    <p className={kit.help}>
                      {words.examples} <Foreign>{found.sample.map(({ email }) => email).join(", ")}</Foreign>
                    </p>
                  )}
                </div>
              )
            }
          </Answer>
        )}
        {found !== undefined && found.count > many && (
          <TextField
            label={words.typeCount(numberText(found.count))}
            value={typed}
            inputMode="numeric"
            isInvalid={isWrong}
            onChange={(text) => {
              setTyped(text)
              setWrong(false)
            }}
          />
        )}
        <DialogButtons>
          <ShowCode call={{ operation: "contacts.bulk", body }} />
          <Button onPress={onClose}>{words.cancel}</Button>
          {found !== undefined && found.count > 0 && (
            <Button kind={operation === "delete" ? "danger" : "primary"} onPress={confirm}>
              {words.operations[operation]}
            </Button>
          )}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
