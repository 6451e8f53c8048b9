import type { CampaignSummary } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { type Shape, State, type Tone } from "../../kit/Marks.tsx"
import { campaignWords } from "./words.ts"

type Shown = CampaignSummary["status"] | "PAUSED"

const looks: { readonly [S in Shown]: readonly [Shape, Tone] } = {
  DRAFT: ["square", "neutral"],
  SCHEDULED: ["square", "neutral"],
  SENDING: ["ring", "good"],
  PAUSED: ["square", "warning"],
  SENT: ["dot", "good"],
  CANCELLED: ["bar", "neutral"]
}

/** The state of a campaign. A reason of the service is shown on hover. */
export const CampaignState = ({
  campaign: { status, paused, statusReason }
}: {
  readonly campaign: Pick<CampaignSummary, "status" | "paused" | "statusReason">
}): ReactNode => {
  const { states, reasons } = campaignWords()
  const shown = paused ? "PAUSED" : status
  const [shape, tone] = looks[shown]
  return (
    <State shape={shape} tone={tone} title={statusReason === null ? undefined : reasons[statusReason]}>
      {states[shown]}
    </State>
  )
}
