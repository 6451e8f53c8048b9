/** Another version became live after the draft was stored: how both texts differ, and the choice between them. */
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { Conflict } from "../../editor/Conflict.tsx"
import { Problem } from "../../kit/Layout.tsx"
import { templateText } from "./comparable.ts"
import type { DraftFields } from "./useDraft.ts"
import { templateWords } from "./words.ts"

interface ChangedProps {
  readonly id: string
  readonly mine: DraftFields
  readonly onClose: () => void
  readonly onKeep: () => void
  readonly onTake: () => void
}

export const ChangedMeanwhile = ({ id, mine, ...choices }: ChangedProps): ReactNode => {
  const words = templateWords()
  const theirs = useRead(["template", id, "live"], (api, options) => api.templates.get(id, options), { staleTime: 0 })
  return (
    <Conflict
      title={words.changedMeanwhile}
      about={words.changedText}
      theirsName={words.theirs}
      mineName={words.mine}
      theirs={theirs.data && templateText(theirs.data)}
      mine={templateText(mine)}
      take={words.takeTheirs}
      keep={words.keepMine}
      {...(theirs.error !== null && { problem: <Problem error={theirs.error} /> })}
      {...choices}
    />
  )
}
