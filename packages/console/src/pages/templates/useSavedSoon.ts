/** Texts that are kept in the page while somebody types, and stored as a draft one second after the last change. */
import type { Call, Fault, PosthornError } from "@posthorn/client/session"
import { useCallback, useEffect, useRef, useState } from "react"

const pause = 1_000

interface Stored {
  readonly problems: ReadonlyArray<Fault>
}

export interface Saved<F> {
  readonly fields: F
  readonly change: (change: Partial<F>) => void
  readonly state: "none" | "saved" | "saving" | "failed"
  /** What prevents publishing. */
  readonly problems: ReadonlyArray<Fault>
  readonly error: PosthornError | null
  /** Stores what is not stored yet. False if that failed. */
  readonly flush: () => Promise<boolean>
}

interface Options<F, D extends Stored> {
  readonly first: F
  /** The draft that the fields come from; null if there is none. */
  readonly draft: D | null
  readonly save: (fields: F) => Call<D>
  readonly onStored: (draft: D) => void
}

export const useSavedSoon = <F extends object, D extends Stored>(options: Options<F, D>): Saved<F> => {
  const { first, draft } = options
  const [fields, setFields] = useState(first)
  const [problems, setProblems] = useState<ReadonlyArray<Fault>>(draft?.problems ?? [])
  const [state, setState] = useState<Saved<F>["state"]>(draft === null ? "none" : "saved")
  const [error, setError] = useState<PosthornError | null>(null)
  const latest = useRef(fields)
  const given = useRef(options)
  given.current = options
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isChanged = useRef(false)
  const running = useRef<Promise<boolean>>(undefined)

  const store = useCallback(async (): Promise<boolean> => {
    let isStored = true
    while (isChanged.current && isStored) {
      isChanged.current = false
      const { data, error } = await given.current.save(latest.current)
      isStored = error === null
      setError(error)
      setState(isStored ? "saved" : "failed")
      if (data === null) {
        isChanged.current = true
        continue
      }
      setProblems(data.problems)
      given.current.onStored(data)
    }
    return isStored
  }, [])

  const flush = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current)
    await running.current
    if (!isChanged.current) return true
    running.current = store()
    const isStored = await running.current
    running.current = undefined
    return isStored
  }, [store])

  const change = (part: Partial<F>) => {
    latest.current = { ...latest.current, ...part }
    setFields(latest.current)
    isChanged.current = true
    setState("saving")
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void flush(), pause)
  }

  // A change that waits for its second is stored when the page is left.
  const leave = useRef(flush)
  leave.current = flush
  useEffect(() => () => void leave.current(), [])

  return { fields, change, state, problems, error, flush }
}
