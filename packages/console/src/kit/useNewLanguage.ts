/** The code of a language that is about to be added to a list. */
import { useState } from "react"

/** `field` belongs to a TextField. `add` adds the code if the list does not have it; otherwise `isWrong` is true. */
export const useNewLanguage = (taken: ReadonlyArray<string>, onAdd: (code: string) => void) => {
  const [language, setLanguage] = useState("")
  const [isWrong, setWrong] = useState(false)
  return {
    isWrong,
    field: {
      value: language,
      isInvalid: isWrong,
      onChange: (text: string) => {
        setLanguage(text)
        setWrong(false)
      },
      maxLength: 5
    },
    add: () => {
      const code = language.trim()
      const isNew = code !== "" && !taken.includes(code)
      setWrong(!isNew)
      if (!isNew) return
      setLanguage("")
      onAdd(code)
    }
  }
}
