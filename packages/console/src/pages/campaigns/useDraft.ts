/**
 * The draft of the editor. A second after a change it is stored, if nobody else changed the campaign. What is not stored
 * yet is kept in this tab, so that loading the page again loses nothing.
 */
import type { Campaign, PosthornError } from "@posthorn/client/session"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useApi } from "../../app/Queries.ts"
import { bodyOf, type Draft, draftOf, missingIn } from "./draft.ts"

interface Kept {
  readonly draft: Draft
  /** The version of the campaign that the draft is based on. */
  readonly updatedAt: string
}

const placeOf = (id: string) => `posthorn.campaign.${id}`

const keptOf = (id: string): Kept | null => {
  try {
    return JSON.parse(sessionStorage.getItem(placeOf(id)) ?? "null")
  } catch {
    return null
  }
}

const keep = (id: string, kept: Kept) => {
  try {
    sessionStorage.setItem(placeOf(id), JSON.stringify(kept))
  } catch {
    // Over the quota of the browser the text stays in this page only.
  }
}

const isConflict = (error: PosthornError | null) => error?.details["reason"] === "changed_meanwhile"

const wait = 1_000

export const useDraft = (campaign: Campaign) => {
  const { id } = campaign
  const api = useApi()
  const client = useQueryClient()
  const project = useProjectId()
  const [first] = useState(() => {
    const stored = { draft: draftOf(campaign), updatedAt: campaign.updatedAt }
    const kept = keptOf(id)
    return kept === null ? stored : { ...kept, draft: { ...stored.draft, ...kept.draft } }
  })
  const [draft, setDraft] = useState(first.draft)
  const [error, setError] = useState<PosthornError | null>(null)
  const [theirs, setTheirs] = useState<Campaign | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [isStored, setStored] = useState(() => keptOf(id) === null)
  const latest = useRef(first.draft)
  const base = useRef(first.updatedAt)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<boolean>>(undefined)
  const missing = missingIn(draft)

  /** Stores the draft, and says whether all of it is stored. */
  const save = async (): Promise<boolean> => {
    await running.current
    const given = latest.current
    clearTimeout(timer.current)
    if (keptOf(id) === null && isStored) return true
    if (missingIn(given).length > 0 || theirs !== null) return false
    setSaving(true)
    running.current = (async () => {
      const answer = await api.campaigns.update(id, { ...bodyOf(given, campaign), ifUpdatedAt: base.current })
      setError(answer.error)
      if (answer.error !== null) {
        const other = isConflict(answer.error) ? (await api.campaigns.get(id)).data : null
        // The answer to an earlier request of this page was lost or late.
        const isSame =
          other !== null && JSON.stringify(bodyOf(draftOf(other), other)) === JSON.stringify(bodyOf(given, other))
        if (!isSame) {
          setTheirs(other)
          return false
        }
        setError(null)
        base.current = other.updatedAt
        sessionStorage.removeItem(placeOf(id))
        setStored(true)
        return true
      }
      base.current = answer.data.updatedAt
      client.setQueryData([project, "campaigns", id], (known: object | undefined) => ({ ...known, ...answer.data }))
      void client.invalidateQueries({ queryKey: [project, "campaigns", "list"] })
      if (latest.current !== given) return false
      sessionStorage.removeItem(placeOf(id))
      setStored(true)
      return true
    })()
    const isDone = await running.current
    setSaving(false)
    return isDone
  }

  const saving = useRef(save)
  saving.current = save
  const saveSoon = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void saving.current(), wait)
  }

  const change = (changed: Partial<Draft>) => {
    const next = { ...latest.current, ...changed }
    latest.current = next
    setDraft(next)
    setStored(false)
    keep(id, { draft: next, updatedAt: base.current })
    saveSoon()
  }

  // Leaving the page within the console stores at once.
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      void saving.current()
    },
    []
  )

  const settle = (choice: "mine" | "theirs") => {
    if (theirs === null) return
    base.current = theirs.updatedAt
    setError(null)
    setTheirs(null)
    if (choice === "mine") return change({})
    latest.current = draftOf(theirs)
    setDraft(latest.current)
    sessionStorage.removeItem(placeOf(id))
    setStored(true)
  }

  return { draft, change, missing, error, theirs, settle, isSaving, isStored, save }
}

export type DraftState = ReturnType<typeof useDraft>
