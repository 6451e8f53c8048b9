/** Renders unsaved texts half a second after the last change, one request at a time. */
import type { PosthornError } from "@posthorn/client/session"
import { useCallback, useEffect, useRef, useState } from "react"
import { type MailTexts, type Reader, type RenderedMail, type RenderTexts, writtenOf } from "./texts.ts"

const pause = 500

export interface Preview {
  /** The last rendering that worked. It stays while the texts have a fault. */
  readonly mail: RenderedMail | null
  readonly error: PosthornError | null
}

export const usePreview = (texts: MailTexts, reader: Reader, render: RenderTexts, isOn = true): Preview => {
  const [preview, setPreview] = useState<Preview>({ mail: null, error: null })
  const latest = useRef({ texts, reader, render })
  const isRunning = useRef(false)
  const isWanted = useRef(false)
  const isFirst = useRef(true)
  const isGone = useRef(false)
  useEffect(() => {
    latest.current = { texts, reader, render }
  })

  const run = useCallback(async () => {
    isWanted.current = true
    if (isRunning.current) return
    isRunning.current = true
    while (isWanted.current && !isGone.current) {
      isWanted.current = false
      const { texts, reader, render } = latest.current
      const { data, error } = await render(texts, reader)
      if (!isGone.current) setPreview((last) => ({ mail: data ?? last.mail, error }))
    }
    isRunning.current = false
  }, [])

  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const written = writtenOf(texts)
  const { format, text } = texts
  const question = JSON.stringify([format, written, text, reader])
  const isEmpty = written.trim() === ""
  useEffect(() => {
    if (!isOn || isEmpty || question === "") return
    const timer = setTimeout(() => void run(), isFirst.current ? 0 : pause)
    isFirst.current = false
    return () => clearTimeout(timer)
  }, [question, isEmpty, isOn, run])

  return preview
}
