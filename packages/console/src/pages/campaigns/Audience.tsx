/** The second step: who gets the mail, how many that are, and who is left out and why. */
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { everyone } from "../../kit/conditions/everyone.ts"
import { LaterConditionBuilder } from "../../kit/conditions/LaterConditionBuilder.tsx"
import { RadioGroup, Select } from "../../kit/Field.tsx"
import { Answer, Card, Problem, Stack } from "../../kit/Layout.tsx"
import { TopicField } from "../../kit/TopicField.tsx"
import type { DraftState } from "./useDraft.ts"
import type { Reach } from "./useRendered.ts"
import { campaignWords } from "./words.ts"

export const ReachText = ({ reach }: { readonly reach: Reach }): ReactNode => {
  const words = campaignWords()
  if (reach.error !== null) return <Problem error={reach.error} onRetry={() => void reach.refetch()} />
  if (reach.data === undefined) return <p>{words.counting}</p>
  const { eligible, excluded } = reach.data
  if (eligible === undefined) return <p>{words.notCounted}</p>
  return (
    <>
      <p>
        <strong>{words.reaches(eligible)}</strong>
      </p>
      {(["unsubscribed", "topicUnsubscribed", "snoozed", "suppressed"] as const).map(
        (why) => excluded !== undefined && excluded[why] > 0 && <p key={why}>{words.leftOut[why](excluded[why])}</p>
      )}
    </>
  )
}

const Segments = ({ state: { draft, change } }: { readonly state: DraftState }) => {
  const words = campaignWords()
  const segments = useRead(["segments"], (api, options) => api.segments.list(options))
  if (segments.data === undefined)
    return (
      <Answer of={segments} height={56}>
        {() => null}
      </Answer>
    )
  return (
    <Select
      label={words.segment}
      value={draft.segmentId}
      placeholder={words.chooseSegment}
      choices={segments.data.map(({ id, name, memberCount }) => ({ id, name: words.segmentName(name, memberCount) }))}
      onChange={(segmentId) => change({ segmentId: segmentId || null })}
    />
  )
}

interface AudienceProps {
  readonly state: DraftState
  readonly reach: Reach
  readonly faults: ReadonlyArray<{ readonly field: string; readonly message: string }>
}

export const Audience = ({ state, reach, faults }: AudienceProps): ReactNode => {
  const words = campaignWords()
  const { draft, change, missing } = state
  const isComplete = !missing.includes("segment") && !missing.includes("audience")
  return (
    <Card title={words.audience}>
      <Stack>
        <RadioGroup
          label={words.recipients}
          value={draft.audienceType}
          choices={(["ALL", "SEGMENT", "FILTERED"] as const).map((id) => ({ id, name: words.audiences[id] }))}
          onChange={(audienceType) =>
            change({
              audienceType,
              ...(audienceType === "FILTERED" && { condition: draft.condition ?? everyone })
            })
          }
        />
        {draft.audienceType === "SEGMENT" && <Segments state={state} />}
        {draft.audienceType === "FILTERED" && draft.condition !== null && (
          <LaterConditionBuilder
            name="audienceCondition"
            value={draft.condition}
            onChange={(condition) => change({ condition })}
            faults={faults}
          />
        )}
        {draft.type !== "TRANSACTIONAL" && (
          <TopicField
            value={draft.topicId}
            onChange={(topicId) => change({ topicId })}
            fault={faults.find(({ field }) => field === "topicId")?.message}
          />
        )}
        <div role="status">{isComplete && <ReachText reach={reach} />}</div>
      </Stack>
    </Card>
  )
}
