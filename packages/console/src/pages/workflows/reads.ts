/** What the page of a workflow reads beside the workflow itself. */
import type { OwnerResults, WorkflowDetail } from "@posthorn/client/session"
import { useQueries } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { useFollowing, useMoved } from "../../app/Live.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useRead } from "../../app/Queries.ts"
import { bodyOf } from "./Drawing.ts"
import { noFaults, placed } from "./faults.ts"
import type { Editing } from "./useDrawing.ts"

/** The faults of the drawing, half a second after its last change. */
export const useFaults = (id: string, { drawing, base }: Editing) => {
  const [asked, setAsked] = useState(drawing)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(drawing), 500)
    return () => clearTimeout(timer)
  }, [drawing])
  const body = useMemo(() => bodyOf(asked), [asked])
  const { data } = useRead(
    ["workflows", id, "validity", base.updatedAt, body],
    (api, options) => api.workflows.validateGraph(id, body, options),
    { keep: true }
  )
  const isChecked = data !== undefined && asked === drawing
  return useMemo(
    () => [data === undefined ? noFaults : placed(asked, data), isChecked] as const,
    [data, asked, isChecked]
  )
}

/** The figures of the mail steps. The more of them there are, the less often they are read. */
export const useResults = (workflow: WorkflowDetail): ReadonlyMap<string, OwnerResults> => {
  const api = useApi()
  const project = useProjectId()
  const isFollowing = useFollowing()
  const mails = workflow.steps.filter(({ type }) => type === "SEND_EMAIL")
  const found = useQueries({
    queries: mails.map(({ id }) => ({
      queryKey: [project, "workflows", workflow.id, "results", id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        api.workflows.stepStats(workflow.id, id, { signal }).orThrow(),
      refetchInterval: isFollowing ? (false as const) : 10_000 * mails.length
    }))
  })
  useMoved("workflows", () => {
    for (const each of found) void each.refetch()
  })
  return new Map(mails.flatMap(({ id }, index) => (found[index]?.data === undefined ? [] : [[id, found[index].data]])))
}
