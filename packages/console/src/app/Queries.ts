/** Reading and writing by the API, with one cache for all pages. */
import type { Call, PosthornError } from "@posthorn/client/session"
import { keepPreviousData, QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback } from "react"
import { type Api, apiOf } from "./Api.ts"
import { noteWrite, useFollowing, useMoved } from "./Live.ts"
import { useProjectId } from "./Project.tsx"

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: PosthornError
  }
}

const passing = new Set(["NETWORK_ERROR", "TIMEOUT"])

/** Reads that failed for a passing reason are repeated after 1, 2, 5 and 15 seconds. */
const pauses = [1_000, 2_000, 5_000, 15_000]

const isPassing = ({ code, statusCode }: PosthornError) =>
  passing.has(code) || statusCode === 429 || (statusCode ?? 0) >= 500

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < pauses.length && passing.has(error.code),
      retryDelay: (count) => pauses[count] ?? 15_000
    },
    mutations: { retry: false }
  }
})

export { isPassing }

/** Reads again what failed on the page that is open. */
export const retryFailed = (): void =>
  void queryClient.refetchQueries(
    { type: "active", predicate: ({ state }) => state.status === "error" },
    { cancelRefetch: false }
  )

interface ReadOptions<A> {
  /**
   * Milliseconds between two reads while the page is visible and the service tells no changes; they may depend on what was
   * read last.
   */
  readonly every?: number | false | ((data: A | undefined) => number | false) | undefined
  /** The same while it does tell changes, for what no change is about. */
  readonly always?: ((data: A | undefined) => number | false) | undefined
  readonly enabled?: boolean | undefined
  /** Shows the answer to the last question while the next one is read, for filters and pages. */
  readonly keep?: boolean | undefined
  readonly staleTime?: number | undefined
}

type Signal = { readonly signal: AbortSignal }

/**
 * Reads with the API of the project. The key names what is read; its first part is the noun that `useForget` takes.
 *
 *     const mail = useRead(["emails", id], (api, options) => api.emails.get(id, options))
 */
export const useRead = <A>(
  key: readonly [noun: string, ...rest: ReadonlyArray<unknown>],
  read: (api: Api, options: Signal) => Call<A>,
  { every = false, always, enabled = true, keep = false, staleTime }: ReadOptions<A> = {}
) => {
  const project = useProjectId()
  const isFollowing = useFollowing()
  const query = useQuery<A, PosthornError>({
    queryKey: [project, ...key],
    queryFn: ({ signal }) => read(apiOf(project), { signal }).orThrow(),
    refetchInterval: ({ state }) => {
      const now = isFollowing ? always : every
      return typeof now === "function" ? now(state.data) : (now ?? false)
    },
    enabled,
    ...(staleTime !== undefined && { staleTime }),
    ...(keep && { placeholderData: keepPreviousData })
  })
  useMoved(key[0], () => {
    if (enabled && every !== false) void query.refetch()
  })
  return query
}

/** The API of the project that is open. */
export const useApi = (): Api => apiOf(useProjectId())

/** Reads again whatever was read under these nouns. */
export const useForget = (): ((...nouns: ReadonlyArray<string>) => Promise<void>) => {
  const client = useQueryClient()
  const project = useProjectId()
  return useCallback(
    async (...nouns) => {
      noteWrite(nouns)
      await Promise.all(nouns.map((noun) => client.invalidateQueries({ queryKey: [project, noun] })))
    },
    [client, project]
  )
}

interface WriteOptions<A, V> {
  /** The nouns that the write changes: they are read again. */
  readonly changes?: ReadonlyArray<string>
  /** With a promise, what the write changes is read again after it: a page that is left reads nothing. */
  readonly onDone?: (data: A, input: V) => Promise<void> | void
}

/** Writes with the API of the project. */
export const useWrite = <A, V = void>(
  write: (api: Api, input: V) => Call<A>,
  { changes = [], onDone }: WriteOptions<A, V> = {}
) => {
  const api = useApi()
  const forget = useForget()
  return useMutation<A, PosthornError, V>({
    mutationFn: (input) => write(api, input).orThrow(),
    onSuccess: async (data, input) => {
      await onDone?.(data, input)
      await forget(...changes)
    }
  })
}
