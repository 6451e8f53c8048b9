/** Contacts whose deletion is held back: lists leave them out until it is undone. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useProjectId } from "../../app/Project.tsx"

const none: ReadonlyArray<string> = []

export const useHeld = () => {
  const client = useQueryClient()
  const queryKey = [useProjectId(), "deletedContacts"]
  const { data = none } = useQuery<ReadonlyArray<string>>({
    queryKey,
    queryFn: () => none,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY
  })
  const change = (to: (ids: ReadonlyArray<string>) => ReadonlyArray<string>) =>
    client.setQueryData<ReadonlyArray<string>>(queryKey, (ids = none) => to(ids))
  return {
    held: data,
    hold: (id: string) => change((ids) => [...ids, id]),
    release: (id: string) => change((ids) => ids.filter((each) => each !== id))
  }
}
