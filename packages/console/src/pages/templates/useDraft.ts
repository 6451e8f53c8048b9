/** The draft of a template: kept in the page while somebody types, and stored one second after the last change. */
import type { PosthornError, Template, TemplateDraft, WriteDraft } from "@posthorn/client/session"
import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useRef, useState } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget } from "../../app/Queries.ts"
import { fieldsOf, type MailTexts } from "../../editor/texts.ts"

const pause = 1_000

export interface DraftFields extends MailTexts {
  readonly subject: string
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly type: Template["type"]
}

/** What the page does not edit stays as it is in the draft. A text in another language has a source or a body. */
const requestOf = (stored: Template | TemplateDraft, fields: DraftFields): WriteDraft => {
  const { subject, from, fromName, replyTo, type } = fields
  const { language, layout, strict, translations } = stored
  const texts = Object.entries(translations).map(([tag, { subject, body, text, source }]) => [
    tag,
    fields.format === "MJML" && source !== undefined ? { subject, source, text } : { subject, body, text }
  ])
  return {
    ...fieldsOf(fields),
    subject,
    from,
    fromName: fromName || null,
    replyTo: replyTo || null,
    type,
    language,
    layout,
    strict,
    translations: Object.fromEntries(texts)
  }
}

const fieldsFrom = (stored: Template | TemplateDraft): DraftFields => {
  const { subject, from, fromName, replyTo, type, format, source, body, text } = stored
  return { subject, from, fromName, replyTo, type, format, source, body, text }
}

/** What is stored is in the cache too, so that the page opens with it. */
const useRemember = (id: string) => {
  const client = useQueryClient()
  const project = useProjectId()
  const forget = useForget()
  return useCallback(
    (draft: TemplateDraft) => {
      const { basedOn, updatedAt } = draft
      client.setQueryData([project, "template-draft", id], draft)
      client.setQueryData<Template>([project, "template", id], (known) =>
        known === undefined ? undefined : { ...known, draft: { basedOn, updatedAt } }
      )
      void forget("templates")
    },
    [client, project, forget, id]
  )
}

export interface Draft {
  readonly fields: DraftFields
  readonly change: (change: Partial<DraftFields>) => void
  readonly state: "none" | "saved" | "saving" | "failed"
  readonly problems: TemplateDraft["problems"]
  readonly error: PosthornError | null
  /** Stores what is not stored yet. False if that failed. */
  readonly flush: () => Promise<boolean>
}

export const useDraft = (template: Template, draft: TemplateDraft | null): Draft => {
  const api = useApi()
  const remember = useRemember(template.id)
  const stored = draft ?? template
  const [fields, setFields] = useState(() => fieldsFrom(stored))
  const [problems, setProblems] = useState(draft?.problems ?? [])
  const [state, setState] = useState<Draft["state"]>(draft === null ? "none" : "saved")
  const [error, setError] = useState<PosthornError | null>(null)
  const latest = useRef(fields)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isChanged = useRef(false)
  const running = useRef<Promise<boolean>>(undefined)

  const store = useCallback(async (): Promise<boolean> => {
    let isStored = true
    while (isChanged.current && isStored) {
      isChanged.current = false
      const { data, error } = await api.templates.saveDraft(template.id, requestOf(stored, latest.current))
      isStored = error === null
      setError(error)
      setState(isStored ? "saved" : "failed")
      if (data === null) {
        isChanged.current = true
        continue
      }
      setProblems(data.problems)
      remember(data)
    }
    return isStored
  }, [api, remember, stored, template.id])

  const flush = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current)
    await running.current
    if (!isChanged.current) return true
    running.current = store()
    const isStored = await running.current
    running.current = undefined
    return isStored
  }, [store])

  const change = (part: Partial<DraftFields>) => {
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
