import { useState } from "react"

/**
 * A text that is shown as it is typed: while it cannot be kept, and while it differs from what is kept in white space at
 * its ends only.
 */
export const useKept = (value: string, onKeep: (value: string) => boolean) => {
  const [typed, setTyped] = useState<{ readonly text: string; readonly isKept: boolean } | null>(null)
  const isShown = typed !== null && (!typed.isKept || typed.text.trim() === value.trim())
  return {
    value: isShown ? typed.text : value,
    isInvalid: isShown && !typed.isKept,
    onChange: (text: string) => setTyped({ text, isKept: onKeep(text) })
  }
}
