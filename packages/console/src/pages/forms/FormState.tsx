import type { ReactNode } from "react"
import { State } from "../../kit/Marks.tsx"
import { formWords } from "./words.ts"

export const FormState = ({ enabled }: { readonly enabled: boolean }): ReactNode => {
  const words = formWords()
  return (
    <State shape={enabled ? "dot" : "square"} tone={enabled ? "good" : "warning"}>
      {enabled ? words.enabled : words.disabled}
    </State>
  )
}
