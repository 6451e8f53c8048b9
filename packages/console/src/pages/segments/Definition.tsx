/** The definition of a segment. Two people who change it at once both see what the other one wrote. */
import type { Segment } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useForget, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ConditionSentence } from "../../kit/conditions/ConditionBuilder.tsx"
import type { TreeFault } from "../../kit/conditions/Vocabulary.tsx"
import { Card, Facts, Notice, Pair, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign } from "../../kit/Text.tsx"
import { bodyOf, type Draft, draftOf } from "./Draft.ts"
import { SegmentFields, useDraftGaps } from "./SegmentFields.tsx"
import { segmentWords } from "./words.ts"

const Side = ({
  title,
  draft,
  action
}: {
  readonly title: string
  readonly draft: Draft
  readonly action: ReactNode
}) => {
  const words = segmentWords()
  return (
    <Card title={title} actions={action}>
      <Facts
        facts={[
          [words.name, <Foreign key="name">{draft.name}</Foreign>],
          draft.description !== "" && [words.description, <Foreign key="description">{draft.description}</Foreign>],
          [words.tracked, draft.trackMembership ? words.yes : words.no],
          draft.type === "DYNAMIC" && [words.condition, <ConditionSentence key="condition" tree={draft.condition} />]
        ]}
      />
    </Card>
  )
}

const isSame = (one: Draft, other: Draft) => JSON.stringify(one) === JSON.stringify(other)

export const Definition = ({ segment }: { readonly segment: Segment }): ReactNode => {
  const words = segmentWords()
  const forget = useForget()
  const gapsOf = useDraftGaps()
  const [base, setBase] = useState(segment)
  const [draft, setDraft] = useState(() => draftOf(segment))
  const [version, setVersion] = useState(0)
  const [gaps, setGaps] = useState<ReadonlyArray<TreeFault>>([])
  const save = useWrite<Segment, string>(
    (api, ifUpdatedAt) => api.segments.update(segment.id, { ...bodyOf(draft), ifUpdatedAt }),
    {
      changes: ["segments"],
      onDone: (saved) => {
        take(saved)
        notify(words.saved)
      }
    }
  )
  /** Starts from a stored state. */
  const take = (stored: Segment) => {
    setBase(stored)
    setDraft(draftOf(stored))
    setGaps([])
  }
  const isNewer = segment.updatedAt > base.updatedAt
  if (isNewer && isSame(draft, draftOf(base))) take(segment)
  const isConflict = save.error?.details["reason"] === "changed_meanwhile"
  const submit = (ifUpdatedAt: string) => {
    const found = gapsOf(draft)
    setGaps(found)
    if (found.length === 0) save.mutate(ifUpdatedAt, { onError: () => void forget("segments") })
  }
  return (
    <Stack>
      {isConflict && isNewer && (
        <section role="alert">
          <Stack>
            <Notice tone="warning">{words.conflict}</Notice>
            <Pair>
              <Side
                title={words.mine}
                draft={draft}
                action={<Button onPress={() => submit(segment.updatedAt)}>{words.keepMine}</Button>}
              />
              <Side
                title={words.theirs}
                draft={draftOf(segment)}
                action={
                  <Button
                    onPress={() => {
                      take(segment)
                      setVersion(version + 1)
                      save.reset()
                    }}
                  >
                    {words.takeTheirs}
                  </Button>
                }
              />
            </Pair>
          </Stack>
        </section>
      )}
      <SegmentFields
        key={version}
        draft={draft}
        onChange={(next) => {
          setDraft(next)
          setGaps([])
        }}
        isNew={false}
        wasTracked={base.trackMembership}
        gaps={gaps}
        error={isConflict ? null : save.error}
        isPending={save.isPending}
        call={{ operation: "segments.update", path: [segment.id], body: bodyOf(draft) }}
        onSubmit={() => submit(base.updatedAt)}
      />
    </Stack>
  )
}
