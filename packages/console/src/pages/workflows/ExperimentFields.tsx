/** The experiment of a split: its rules, and its figures so far. */
import type { SplitExperiment } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import { Answer, Card, Facts, Pair, Problem, Row } from "../../kit/Layout.tsx"
import { numberText, percentText } from "../../kit/Text.tsx"
import type { Config } from "./Drawing.ts"
import { workflowRoute } from "./routes.ts"
import { type FieldsProps, fieldText, numberOf } from "./StepFields.tsx"
import { workflowWords } from "./words.ts"

const metrics = ["HUMAN_CLICK", "HUMAN_OPEN", "GOAL"] as const
const confidences = ["0.9", "0.95", "0.99"] as const

export const ExperimentFields = ({ config, set }: FieldsProps): ReactNode => {
  const { fields } = workflowWords()
  const rules = config["experiment"] as Config | undefined
  const put = (change: Config) =>
    set({
      experiment: Object.fromEntries(Object.entries({ ...rules, ...change }).filter(([, value]) => value !== undefined))
    })
  return (
    <>
      <Checkbox
        isSelected={rules !== undefined}
        onChange={(isOn) => set({ experiment: isOn ? { metric: "HUMAN_CLICK" } : undefined })}
      >
        {fields.experiment}
      </Checkbox>
      {rules !== undefined && (
        <>
          <Select
            label={fields.metric}
            value={rules["metric"] as (typeof metrics)[number]}
            choices={metrics.map((id) => ({ id, name: fields.metrics[id] }))}
            onChange={(metric) => put({ metric })}
          />
          <Pair>
            <TextField
              label={fields.windowHours}
              name="config.experiment.windowHours"
              help={fields.defaultOf(72)}
              inputMode="numeric"
              value={fieldText(rules["windowHours"])}
              onChange={(hours) => put({ windowHours: numberOf(hours) })}
            />
            <TextField
              label={fields.minimumPerBranch}
              name="config.experiment.minimumPerBranch"
              help={fields.defaultOf(500)}
              inputMode="numeric"
              value={fieldText(rules["minimumPerBranch"])}
              onChange={(count) => put({ minimumPerBranch: numberOf(count) })}
            />
          </Pair>
          <Select
            label={fields.confidence}
            value={String(rules["confidence"] ?? 0.95) as (typeof confidences)[number]}
            choices={confidences.map((id) => ({ id, name: percentText(Number(id)) }))}
            onChange={(confidence) => put({ confidence: Number(confidence) })}
          />
          <Select<"AUTOMATIC" | "MANUAL">
            label={fields.winner}
            value={rules["winner"] === "MANUAL" ? "MANUAL" : "AUTOMATIC"}
            choices={(["AUTOMATIC", "MANUAL"] as const).map((id) => ({ id, name: fields.winners[id] }))}
            onChange={(winner) => put({ winner })}
          />
          <Select<"CONTINUE" | "FIRST">
            label={fields.fallback}
            value={rules["fallback"] === "FIRST" ? "FIRST" : "CONTINUE"}
            choices={(["CONTINUE", "FIRST"] as const).map((id) => ({ id, name: fields.fallbacks[id] }))}
            onChange={(fallback) => put({ fallback })}
          />
        </>
      )}
    </>
  )
}

interface FiguresProps {
  readonly step: string
  readonly nameOf: (branch: string) => string
}

/** What is known about the branches, in a sentence. */
const stateText = ({ final, significant, winner }: SplitExperiment, nameOf: (branch: string) => string): string => {
  const { experiment } = workflowWords()
  if (winner !== null) return experiment.won(nameOf(winner))
  if (!final) return experiment.early
  return significant ? experiment.choose : experiment.unclear
}

export const ExperimentFigures = ({ step, nameOf }: FiguresProps): ReactNode => {
  const { experiment: words } = workflowWords()
  const { workflowId } = workflowRoute.useParams()
  const changes = ["workflows"]
  const found = useRead(
    ["workflows", workflowId, "experiment", step],
    (api, options) => api.workflows.experiment(workflowId, step, options),
    { every: 60_000 }
  )
  const decide = useWrite((api, branch: string) => api.workflows.decideExperiment(workflowId, step, { branch }), {
    changes
  })
  const restart = useWrite((api) => api.workflows.restartExperiment(workflowId, step), { changes })
  const error = decide.error ?? restart.error
  return (
    <Card title={words.title} actions={<Button onPress={() => restart.mutate()}>{words.restart}</Button>}>
      {error !== null && <Problem error={error} />}
      <Answer of={found} height={120}>
        {(data) => (
          <>
            <p>{stateText(data, nameOf)}</p>
            <Facts
              facts={data.variants.map(({ key, sent, successes, rate, low, high }) => [
                nameOf(key),
                <Row key={key}>
                  {sent === 0
                    ? words.nobody
                    : words.figures(
                        percentText(rate),
                        percentText(low),
                        percentText(high),
                        numberText(successes),
                        numberText(sent)
                      )}
                  {data.winner !== key && (
                    <Button kind="quiet" isPending={decide.isPending} onPress={() => decide.mutate(key)}>
                      {words.take(nameOf(key))}
                    </Button>
                  )}
                </Row>
              ])}
            />
            {data.detectable !== null && <p>{words.detectable(numberText(data.detectable))}</p>}
          </>
        )}
      </Answer>
    </Card>
  )
}
