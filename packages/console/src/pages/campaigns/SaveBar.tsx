/** Says whether the draft is stored, what is missing, and what to do if somebody else changed the campaign. */
import type { PosthornError } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { writtenOf } from "../../editor/texts.ts"
import { Button } from "../../kit/Button.tsx"
import { Notice, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import styles from "./campaigns.module.css"
import { type Draft, draftOf } from "./draft.ts"
import type { DraftState } from "./useDraft.ts"
import { campaignWords } from "./words.ts"

const asText = (draft: Draft) =>
  `${JSON.stringify({ ...draft, body: undefined, source: undefined }, null, 2)}

${writtenOf(draft)}`

const Conflict = ({ state: { draft, theirs, settle } }: { readonly state: DraftState }) => {
  const words = campaignWords()
  if (theirs === null) return null
  const versions = [
    [words.mine, asText(draft)],
    [words.theirs, asText(draftOf(theirs))]
  ] as const
  return (
    <Notice tone="warning">
      <Stack>
        <strong role="alert">{words.conflict}</strong>
        <div className={styles.versions}>
          {versions.map(([name, text]) => (
            <section key={name} aria-label={name}>
              <h2>{name}</h2>
              <pre className={styles.source} tabIndex={0}>
                <Foreign>{text}</Foreign>
              </pre>
            </section>
          ))}
        </div>
        <Row>
          <Button onPress={() => settle("mine")}>{words.keepMine}</Button>
          <Button onPress={() => settle("theirs")}>{words.takeTheirs}</Button>
        </Row>
      </Stack>
    </Notice>
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
  if (theirs !== null) return <Conflict state={state} />
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
