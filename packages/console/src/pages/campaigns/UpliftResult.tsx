/** What a campaign brings: its audience beside those who were held out. */
import type { CampaignStats } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { Card, Facts, Stack } from "../../kit/Layout.tsx"
import { numberText, percentText } from "../../kit/Text.tsx"
import { experimentWords } from "./experimentWords.ts"

type Uplift = NonNullable<CampaignStats["uplift"]>

const verdictOf = ({ low, high }: Uplift): string => {
  const words = experimentWords()
  if (low > 0) return words.upliftUp
  return high < 0 ? words.upliftDown : words.upliftUnclear
}

/** A fraction in percentage points, with two decimals. */
const pointsText = (share: number): string => numberText(Math.round(share * 10_000) / 100)

export const UpliftResult = ({ uplift }: { readonly uplift: Uplift }): ReactNode => {
  const words = experimentWords()
  const { treated, holdout, treatedRate, holdoutRate, difference, low, high } = uplift
  return (
    <Card title={words.uplift}>
      <Stack>
        <p>{verdictOf(uplift)}</p>
        <Facts
          facts={[
            [words.treated, words.didIt(percentText(treatedRate), numberText(treated))],
            [words.heldOut, words.didIt(percentText(holdoutRate), numberText(holdout))],
            [words.difference, words.points(pointsText(difference), pointsText(low), pointsText(high))]
          ]}
        />
        <p>{words.upliftAbout}</p>
      </Stack>
    </Card>
  )
}
