/** The experiment of a draft: its variants, and how they are compared. */
import type { Campaign } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { Button } from "../../kit/Button.tsx"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import { Card, Notice, Pair, Stack } from "../../kit/Layout.tsx"
import { percentText } from "../../kit/Text.tsx"
import { experimentWords } from "./experimentWords.ts"
import type { DraftState } from "./useDraft.ts"

type Rules = NonNullable<Campaign["experiment"]>
type Variant = Rules["variants"][number]
type OwnText = "subject" | "preheader" | "fromName" | "body"

const keys = ["A", "B", "C", "D", "E", "F", "G", "H"] as const
const metrics = ["HUMAN_CLICK", "HUMAN_OPEN", "GOAL"] as const
const confidences = ["0.9", "0.95", "0.99"] as const

const fresh: Rules = {
  variants: [{ key: "A" }, { key: "B" }],
  testShare: 0.2,
  metric: "HUMAN_CLICK",
  waitHours: 4,
  winner: "AUTOMATIC",
  confidence: 0.95,
  fallback: "BEST"
}

/** The variants with their keys in order. */
const lettered = (variants: ReadonlyArray<Variant>): Rules["variants"] =>
  variants.map((variant, at) => ({ ...variant, key: keys[at] ?? "H" }))

const withText = (variant: Variant, field: OwnText, text: string): Variant => {
  const { [field]: _, ...others } = variant
  return text === "" ? others : { ...others, [field]: text }
}

interface VariantProps {
  readonly variant: Variant
  readonly onChange: (variant: Variant) => void
  readonly onRemove: (() => void) | undefined
}

const VariantFields = ({ variant, onChange, onRemove }: VariantProps) => {
  const words = experimentWords()
  const { key } = variant
  const field = (name: OwnText) => ({
    label: words[name],
    value: variant[name] ?? "",
    onChange: (text: string) => onChange(withText(variant, name, text))
  })
  return (
    <fieldset>
      <legend>{words.variant(key)}</legend>
      <Stack>
        <TextField {...field("subject")} />
        <Pair>
          <TextField {...field("preheader")} />
          <TextField {...field("fromName")} />
        </Pair>
        <TextField {...field("body")} rows={4} />
        {onRemove !== undefined && (
          <Button kind="quiet" onPress={onRemove}>
            {words.removeVariant(key)}
          </Button>
        )}
      </Stack>
    </fieldset>
  )
}

/** A number that is typed. What is no number is kept in the field only. */
export const NumberField = (props: {
  readonly label: string
  readonly help?: string
  readonly value: number
  readonly onChange: (value: number) => void
}) => {
  const [text, setText] = useState(String(props.value))
  return (
    <TextField
      label={props.label}
      {...(props.help !== undefined && { help: props.help })}
      inputMode="numeric"
      value={text}
      onChange={(typed) => {
        setText(typed)
        if (typed.trim() !== "" && Number.isFinite(Number(typed))) props.onChange(Number(typed))
      }}
    />
  )
}

export const Experiment = ({ state }: { readonly state: DraftState }): ReactNode => {
  const words = experimentWords()
  const { draft, change, error } = state
  const { experiment } = draft
  const put = (changed: Partial<Rules>) => {
    if (experiment !== null) change({ experiment: { ...experiment, ...changed } })
  }
  const faults = (error?.errors ?? []).filter(({ field }) => field.startsWith("experiment"))
  return (
    <Card title={words.title}>
      <Stack>
        <Checkbox isSelected={experiment !== null} onChange={(isOn) => change({ experiment: isOn ? fresh : null })}>
          {words.try}
        </Checkbox>
        {experiment !== null && (
          <>
            {faults.length > 0 && (
              <Notice tone="warning">{faults.map(({ field, message }) => `${field}: ${message}`).join(" ")}</Notice>
            )}
            <p>{words.variantA}</p>
            {experiment.variants.slice(1).map((variant, at) => (
              <VariantFields
                key={variant.key}
                variant={variant}
                onChange={(next) => put({ variants: experiment.variants.with(at + 1, next) })}
                onRemove={
                  experiment.variants.length > 2
                    ? () => put({ variants: lettered(experiment.variants.toSpliced(at + 1, 1)) })
                    : undefined
                }
              />
            ))}
            {experiment.variants.length < keys.length && (
              <div>
                <Button onPress={() => put({ variants: lettered([...experiment.variants, { key: "H" }]) })}>
                  {words.addVariant}
                </Button>
              </div>
            )}
            <Pair>
              <NumberField
                label={words.testShare}
                help={words.testShareHelp}
                value={Math.round(experiment.testShare * 100)}
                onChange={(percent) => put({ testShare: Math.round(percent) / 100 })}
              />
              <NumberField
                label={words.waitHours}
                value={experiment.waitHours}
                onChange={(waitHours) => put({ waitHours })}
              />
            </Pair>
            <Select
              label={words.metric}
              value={experiment.metric}
              choices={metrics.flatMap((id) =>
                id === "GOAL" && draft.goal === null ? [] : [{ id, name: words.metrics[id] }]
              )}
              onChange={(metric) => put({ metric })}
            />
            <Select
              label={words.confidence}
              value={String(experiment.confidence) as (typeof confidences)[number]}
              choices={confidences.map((id) => ({ id, name: percentText(Number(id)) }))}
              onChange={(confidence) => put({ confidence: Number(confidence) as Rules["confidence"] })}
            />
            <Select
              label={words.winner}
              value={experiment.winner}
              choices={(["AUTOMATIC", "MANUAL"] as const).map((id) => ({ id, name: words.winners[id] }))}
              onChange={(winner) => put({ winner })}
            />
            <Select
              label={words.fallback}
              value={experiment.fallback}
              choices={(["BEST", "CONTROL", "NONE"] as const).map((id) => ({ id, name: words.fallbacks[id] }))}
              onChange={(fallback) => put({ fallback })}
            />
          </>
        )}
      </Stack>
    </Card>
  )
}
