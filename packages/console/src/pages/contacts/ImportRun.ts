/** An import of a file, whose parts are tied together by the id of their group. */
import type { ImportSummary, PosthornError } from "@posthorn/client/session"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useFollowing, useMoved } from "../../app/Live.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi } from "../../app/Queries.ts"
import { partsOf } from "./CsvFile.ts"

/** What this browser knows of the parts that it sent. */
interface Sent {
  readonly parts: { readonly [jobId: string]: { readonly linesBefore: number; readonly bytes: number } }
  readonly bytes: number
  readonly startedAt: number
  readonly isDone: boolean
  readonly error: PosthornError | null
}

interface Import {
  readonly file: File
  readonly groupId: string
  readonly mapping: string
  readonly segmentId: string | null
  readonly doubleOptIn: "send" | "skip" | null
  /** As JSON. */
  readonly consent: string | undefined
  readonly dryRun: boolean
}

const sentKey = (project: string, groupId: string | undefined) => [project, "importSent", groupId]

/** Sends the parts of a file, two at a time. Leaving the page within the console does not stop it. */
export const useSend = () => {
  const api = useApi()
  const client = useQueryClient()
  const project = useProjectId()
  return async ({ file, groupId, mapping, segmentId, doubleOptIn, consent, dryRun }: Import): Promise<void> => {
    const key = sentKey(project, groupId)
    const change = (to: (sent: Sent) => Sent) => client.setQueryData<Sent>(key, (sent) => sent && to(sent))
    client.setQueryData<Sent>(key, {
      parts: {},
      bytes: file.size,
      startedAt: performance.now(),
      isDone: false,
      error: null
    })
    const parts = partsOf(file)
    let failed = false
    const lane = async () => {
      while (!failed) {
        const { value: part, done } = await parts.next()
        if (done) return
        const { data, error } = await api.contacts.import({
          file: part.blob,
          mapping,
          dryRun,
          groupId,
          ...(segmentId !== null && { segmentId }),
          ...(doubleOptIn !== null && { doubleOptIn }),
          ...(consent !== undefined && { consent })
        })
        if (error !== null) {
          failed = true
          change((sent) => ({ ...sent, error }))
        } else {
          const { linesBefore, bytes } = part
          change((sent) => ({ ...sent, parts: { ...sent.parts, [data.jobId]: { linesBefore, bytes } } }))
        }
      }
    }
    await Promise.all([lane(), lane()])
    change((sent) => ({ ...sent, isDone: true }))
  }
}

export const isOver = ({ state }: ImportSummary): boolean =>
  state === "completed" || state === "failed" || state === "cancelled"

const countsOf = (parts: ReadonlyArray<ImportSummary>) => {
  const sum = { rows: 0, created: 0, changed: 0, asked: 0, faulty: 0 }
  for (const { result } of parts) {
    if (result === null) continue
    sum.rows += result.totalRows
    sum.faulty += result.failureCount
    sum.asked += result.pendingCount
    sum.created += "wouldCreate" in result ? result.wouldCreate : result.createdCount
    sum.changed += "wouldUpdate" in result ? result.wouldUpdate : result.updatedCount
  }
  return sum
}

export interface FaultyRow {
  readonly id: string
  readonly line: number
  readonly email: string
  readonly error: string
}

/** The parts of a group: how far they are, and what came of them. Also finds a group that another tab started. */
export const useImport = (groupId: string | undefined) => {
  const api = useApi()
  const project = useProjectId()
  const sent = useQuery<Sent | null>({
    queryKey: sentKey(project, groupId),
    queryFn: () => null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY
  }).data
  const isFollowing = useFollowing()
  const isSending = sent !== undefined && sent !== null && !sent.isDone
  const count = Object.keys(sent?.parts ?? {}).length
  const isComplete = (parts: ReadonlyArray<ImportSummary>) => parts.length >= count && parts.every(isOver)
  const { data, error, refetch } = useQuery<ReadonlyArray<ImportSummary>, PosthornError>({
    queryKey: [project, "imports", groupId, count, isSending],
    queryFn: async () => {
      const parts: Array<ImportSummary> = []
      for await (const part of api.contacts.imports({ groupId, limit: 100 })) parts.push(part)
      return parts
    },
    enabled: groupId !== undefined,
    placeholderData: (last) => (last?.[0]?.groupId === groupId ? last : undefined),
    refetchInterval: ({ state }) =>
      state.error !== null || (!isSending && state.data !== undefined && isComplete(state.data))
        ? false
        : isFollowing
          ? 10_000
          : 1_000
  })
  useMoved("imports", () => {
    if (groupId !== undefined) void refetch()
  })
  const parts = data ?? []
  const isFinished = data !== undefined && !isSending && isComplete(data)
  const faulty = useQuery<ReadonlyArray<FaultyRow>, PosthornError>({
    queryKey: [project, "importFaults", groupId],
    queryFn: async () => {
      const jobs = parts.filter(({ result }) => (result?.failureCount ?? 0) > 0).slice(0, 10)
      const records = await Promise.all(jobs.map(({ id }) => api.contacts.importJob(id).orThrow()))
      return records.flatMap(({ id, result }) =>
        (result?.errors ?? []).map(({ row, email, error: fault }) => ({
          id: `${id} ${row}`,
          line: row + (sent?.parts[id]?.linesBefore ?? 0),
          email,
          error: fault
        }))
      )
    },
    enabled: isFinished && countsOf(parts).faulty > 0
  })
  const bytesOf = ({ id }: ImportSummary) => sent?.parts[id]?.bytes ?? 1
  const all = sent?.bytes ?? Math.max(1, parts.length)
  const done = parts.reduce((sum, part) => sum + (isOver(part) ? 1 : part.progress / 100) * bytesOf(part), 0)
  const counts = countsOf(parts)
  const seconds = sent ? (performance.now() - sent.startedAt) / 1_000 : 0
  return {
    parts,
    /** Lines of the file in front of a part, as far as this browser knows. */
    linesBefore: (jobId: string): number => sent?.parts[jobId]?.linesBefore ?? 0,
    counts,
    isSending,
    isFinished,
    progress: isFinished ? 1 : Math.min(0.99, done / all),
    perSecond: seconds > 1 ? Math.round(counts.rows / seconds) : 0,
    faulty: faulty.data ?? [],
    isLoading: data === undefined,
    error: sent?.error ?? error ?? faulty.error,
    retry: refetch as () => void
  }
}
