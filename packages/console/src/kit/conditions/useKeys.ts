import { useRef, useState } from "react"

/** Keys of entries that have no id, so that each row keeps its own state when another one is removed. */
export const useKeys = (length: number) => {
  const next = useRef(0)
  const [keys, setKeys] = useState<ReadonlyArray<number>>([])
  const shown = [...keys.slice(0, length)]
  while (shown.length < length) shown.push(next.current++)
  if (shown.length !== keys.length || shown.some((key, n) => key !== keys[n])) setKeys(shown)
  return { keys: shown, remove: (index: number) => setKeys(shown.filter((_, n) => n !== index)) }
}
