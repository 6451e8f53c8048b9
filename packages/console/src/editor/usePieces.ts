import { useRead } from "../app/Queries.ts"

/** The first pieces of the project by name, for choices. */
export const usePieces = () =>
  useRead(
    ["partials", "choices"],
    (api, options) => api.partials.list({ sort: "name", pageSize: 100 }, options).page(),
    {
      staleTime: 60_000
    }
  )
