/** How the variants of a campaign do, with intervals, and the choice of a winner. */
import type { CampaignDetail, CampaignExperimentFigures } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { browserZone } from "../../app/Zone.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { Answer, Card, Facts, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { numberText, percentText, timeText } from "../../kit/Text.tsx"
import { experimentWords } from "./experimentWords.ts"

const bestOf = ({ variants }: CampaignExperimentFigures) =>
  variants.reduce<CampaignExperimentFigures["variants"][number] | undefined>(
    (best, each) => (best === undefined || each.rate > best.rate ? each : best),
    undefined
  )?.key ?? "A"

/** What the figures say, in sentences. */
const sentencesOf = (figures: CampaignExperimentFigures): ReadonlyArray<string> => {
  const words = experimentWords()
  const { state, winner, significant } = figures
  if (state === "CANCELLED") return [words.cancelled]
  const certainty = significant ? words.clear(bestOf(figures)) : words.unclear
  if (state === "ABANDONED") return [certainty, words.abandoned]
  if (winner !== null) return [certainty, words.won(winner)]
  return state === "WAITING" ? [certainty, words.waiting] : [words.early]
}

export const ExperimentResult = ({ campaign }: { readonly campaign: CampaignDetail }): ReactNode => {
  const words = experimentWords()
  const { id } = campaign
  const missing = useMissing("campaigns.decideExperiment")
  const found = useRead(["campaigns", id, "experiment"], (api, options) => api.campaigns.experiment(id, options), {
    every: 15_000
  })
  const decide = useWrite((api, variant: string) => api.campaigns.decideExperiment(id, { variant }), {
    changes: ["campaigns"]
  })
  return (
    <Card
      title={words.title}
      actions={<ShowCode call={{ operation: "campaigns.decideExperiment", path: [id], body: { variant: "B" } }} />}
    >
      {decide.error !== null && <Problem error={decide.error} />}
      <Answer of={found} height={160}>
        {(data) => {
          const isOpen = data.state === "TESTING" || data.state === "WAITING"
          return (
            <Stack>
              <p>{sentencesOf(data).join(" ")}</p>
              <Facts
                facts={[
                  [words.metric, words.metrics[data.metric]],
                  data.decidedBy !== null && [words.decides, words.by[data.decidedBy.kind]],
                  data.state === "TESTING" &&
                    data.decideAt !== null && [words.decides, words.atTime(timeText(data.decideAt, browserZone))],
                  ...data.variants.map(
                    ({ key, sent, successes, rate, low, high }) =>
                      [
                        words.variant(key),
                        <Row key={key}>
                          {sent === 0
                            ? words.nothingSent
                            : words.figures(
                                percentText(rate),
                                percentText(low),
                                percentText(high),
                                numberText(successes),
                                numberText(sent)
                              )}
                          {isOpen && (
                            <Button
                              kind="quiet"
                              missing={missing}
                              isPending={decide.isPending}
                              onPress={() => decide.mutate(key)}
                            >
                              {words.take(key)}
                            </Button>
                          )}
                        </Row>
                      ] as const
                  )
                ]}
              />
              {data.detectable !== null && data.detectable > 0 && (
                <p>{words.detectable(numberText(data.detectable))}</p>
              )}
            </Stack>
          )
        }}
      </Answer>
    </Card>
  )
}
