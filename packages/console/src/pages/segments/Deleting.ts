/** Deletion of a segment: held back for eight seconds, then asked for. What uses the segment can refuse it. */
import { PosthornError, type Segment } from "@posthorn/client/session"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget } from "../../app/Queries.ts"
import { holdBack, notify } from "../../kit/notices.ts"
import { segmentWords } from "./words.ts"

const kinds = ["campaigns", "segments", "workflows"] as const

/** What uses a segment, so that it cannot be deleted. */
export interface SegmentUser {
  readonly kind: (typeof kinds)[number]
  readonly id: string
  readonly name: string
}

const usersIn = (details: { readonly [key: string]: unknown }): ReadonlyArray<SegmentUser> =>
  kinds.flatMap((kind) => {
    const list = details[kind]
    return Array.isArray(list) ? list.map(({ id, name }) => ({ kind, id: String(id), name: String(name) })) : []
  })

/** A note of this browser, beside the answers of the service. */
const useNote = <A>(name: string, initial: A) => {
  const client = useQueryClient()
  const key = [useProjectId(), name]
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => initial,
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY
  })
  return [
    data ?? initial,
    (change: (last: A) => A) => client.setQueryData<A>(key, (last) => change(last ?? initial))
  ] as const
}

type Uses = { readonly [segmentId: string]: ReadonlyArray<SegmentUser> }

/** What refused the deletion of the segment, if that was tried. */
export const useSegmentUsers = (id: string): ReadonlyArray<SegmentUser> =>
  useNote<Uses>("segment uses", {})[0][id] ?? []

/** The ids of the segments whose deletion is held back. */
export const useHeldSegments = (): ReadonlyArray<string> => useNote<ReadonlyArray<string>>("held segments", [])[0]

export const useDeleteSegment = (): ((segment: Segment) => void) => {
  const words = segmentWords()
  const api = useApi()
  const forget = useForget()
  const [, setHeld] = useNote<ReadonlyArray<string>>("held segments", [])
  const [, setUses] = useNote<Uses>("segment uses", {})
  return ({ id, name }) => {
    const release = () => setHeld((held) => held.filter((each) => each !== id))
    const refused = (error: unknown) => {
      if (!(error instanceof PosthornError)) throw error
      const users = usersIn(error.details)
      setUses((uses) => ({ ...uses, [id]: users }))
      notify(
        users.length === 0
          ? words.failedDelete(name, error.message)
          : words.notDeleted(name, users.map((user) => `${words.users[user.kind]} ${user.name}`).join(", "))
      )
    }
    const run = async () => {
      await api.segments.delete(id).orThrow().catch(refused)
      await forget("segments")
      release()
    }
    setHeld((held) => [...held, id])
    holdBack(words.deleted(name), () => void run(), release)
  }
}
