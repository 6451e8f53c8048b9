import type { Segment } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useProjectId } from "../../app/Project.tsx"
import { useWrite } from "../../app/Queries.ts"
import type { TreeFault } from "../../kit/conditions/Vocabulary.tsx"
import { bodyOf, emptyDraft } from "./Draft.ts"
import { SegmentFields, useDraftGaps } from "./SegmentFields.tsx"
import { segmentWords } from "./words.ts"

export const NewSegmentPage = (): ReactNode => {
  const words = segmentWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const gapsOf = useDraftGaps()
  const [draft, setDraft] = useState(emptyDraft)
  const [gaps, setGaps] = useState<ReadonlyArray<TreeFault>>([])
  const body = { ...bodyOf(draft), type: draft.type }
  const create = useWrite<Segment>((api) => api.segments.create(body), {
    changes: ["segments"],
    onDone: ({ id, type }) =>
      void navigate({
        to: "/p/$projectId/segments/$segmentId",
        params: { projectId, segmentId: id },
        search: type === "STATIC" ? { tab: "members" } : {}
      })
  })
  const submit = () => {
    const found = gapsOf(draft)
    setGaps(found)
    if (found.length === 0) create.mutate()
  }
  return (
    <Page
      title={words.newSegment}
      back={{ name: words.segments, link: { to: "/p/$projectId/segments", params: { projectId } } }}
    >
      <SegmentFields
        draft={draft}
        onChange={(next) => {
          setDraft(next)
          setGaps([])
        }}
        isNew
        wasTracked={false}
        gaps={gaps}
        error={create.error}
        isPending={create.isPending}
        call={{ operation: "segments.create", body }}
        onSubmit={submit}
      />
    </Page>
  )
}
