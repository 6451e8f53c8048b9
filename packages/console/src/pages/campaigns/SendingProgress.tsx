/** How far the sending is, how fast it goes, and how long it takes. */
import type { CampaignDetail, CampaignStats } from "@posthorn/client/session"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { Facts, Stack } from "../../kit/Layout.tsx"
import { Progress } from "../../kit/Progress.tsx"
import { numberText } from "../../kit/Text.tsx"
import { type CampaignWords, campaignWords } from "./words.ts"

interface Sample {
  readonly at: number
  readonly done: number
}

/** The rate is taken over this time. */
const span = 20_000

/** Mails a second over the last twenty seconds; null before the second sample. */
const useRateOf = (done: number, isRunning: boolean): number | null => {
  const samples = useRef<ReadonlyArray<Sample>>([])
  const [rate, setRate] = useState<number | null>(null)
  useEffect(() => {
    if (!isRunning) {
      samples.current = []
      return setRate(null)
    }
    const at = performance.now()
    samples.current = [...samples.current.filter((sample) => at - sample.at < span), { at, done }]
    const first = samples.current[0]
    if (first !== undefined && at > first.at) setRate(((done - first.done) * 1_000) / (at - first.at))
  }, [done, isRunning])
  return rate
}

const leftText = (seconds: number, words: CampaignWords) =>
  seconds < 60 ? words.seconds(Math.max(1, Math.ceil(seconds))) : words.minutes(Math.ceil(seconds / 60))

interface ProgressProps {
  readonly campaign: CampaignDetail
  readonly stats: CampaignStats
}

export const SendingProgress = ({ campaign, stats }: ProgressProps): ReactNode => {
  const words = campaignWords()
  const { totalRecipients, pendingCount } = stats
  const isPrepared = totalRecipients > 0 || campaign.status !== "SENDING"
  const done = isPrepared ? totalRecipients - pendingCount : 0
  const rate = useRateOf(done, campaign.status === "SENDING" && !campaign.paused)
  return (
    <Stack>
      <Progress
        label={words.progress}
        value={totalRecipients === 0 ? (campaign.status === "SENDING" ? 0 : 1) : done / totalRecipients}
        text={isPrepared ? words.progressText(done, totalRecipients) : words.preparing}
      />
      {rate !== null && rate > 0 && (
        <Facts
          facts={[
            [words.rate, words.perSecond(numberText(Math.round(rate * 10) / 10))],
            pendingCount > 0 && [words.timeLeft, leftText(pendingCount / rate, words)]
          ]}
        />
      )}
    </Stack>
  )
}
