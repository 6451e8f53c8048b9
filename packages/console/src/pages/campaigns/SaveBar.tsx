/** Says whether the draft is stored, what is missing, and what to do if somebody else changed the campaign. */
import type { PosthornError } from "@posthorn/client/session"
import { lazy, type ReactNode, Suspense } from "react"
import { writtenOf } from "../../editor/texts.ts"
import { Problem } from "../../kit/Layout.tsx"
import styles from "./campaigns.module.css"
import { type Draft, draftOf } from "./draft.ts"
import type { DraftState } from "./useDraft.ts"
import { campaignWords } from "./words.ts"

const Conflict = lazy(async () => ({ default: (await import("../../editor/Conflict.tsx")).Conflict }))

const asText = (draft: Draft) =>
  `${JSON.stringify({ ...draft, body: undefined, source: undefined }, null, 2)}

${writtenOf(draft)}`

const Meanwhile = ({ state: { draft, theirs, settle } }: { readonly state: DraftState }) => {
  const words = campaignWords()
  if (theirs === null) return null
  return (
    <Conflict
      title={words.conflict}
      about={words.conflictAbout}
      theirsName={words.theirs}
      mineName={words.mine}
      theirs={asText(draftOf(theirs))}
      mine={asText(draft)}
      take={words.takeTheirs}
      keep={words.keepMine}
      onTake={() => settle("theirs")}
      onKeep={() => settle("mine")}
    />
  )
}

interface SaveBarProps {
  readonly state: DraftState
  /** What belongs to no field of the page. */
  readonly rest: PosthornError | null
}

export const SaveBar = ({ state, rest }: SaveBarProps): ReactNode => {
  const words = campaignWords()
  const { missing, error, theirs, isSaving, isStored } = state
  if (theirs !== null) {
    return (
      <Suspense>
        <Meanwhile state={state} />
      </Suspense>
    )
  }
  const text = isStored
    ? words.saved
    : missing.length > 0
      ? words.kept(missing.map((name) => words[name]).join(", "))
      : isSaving
        ? words.saving
        : error !== null
          ? words.notSaved
          : words.unsaved
  return (
    <>
      <div role="status" className={styles.quiet}>
        {text}
      </div>
      {rest !== null && <Problem error={rest} />}
    </>
  )
}
