/** Whether the draft is stored. */
import type { ReactNode } from "react"
import { State } from "../../kit/Marks.tsx"
import type { Saved } from "./useSavedSoon.ts"
import { templateWords } from "./words.ts"

export const DraftState = ({ state }: { readonly state: Saved<object>["state"] }): ReactNode => {
  const words = templateWords()
  if (state === "failed") {
    return (
      <State shape="triangle" tone="bad">
        {words.notSaved}
      </State>
    )
  }
  return (
    <State shape={state === "saving" ? "ring" : "dot"} tone={state === "none" ? "neutral" : "good"}>
      {state === "none" ? words.noDraft : state === "saving" ? words.saving : words.savedDraft}
    </State>
  )
}
