import { useEffect, useState } from "react"

/** The value as it was when it last stood still for so many milliseconds. */
export const useSettled = <A>(value: A, wait: number): A => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), wait)
    return () => clearTimeout(timer)
  }, [value, wait])
  return settled
}
