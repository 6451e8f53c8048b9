/** Records of the project, found by name, address or id. */
import type { SearchResult } from "@posthorn/client/session"
import { useSettled } from "../kit/useSettled.ts"
import { pathOf } from "./links.ts"
import { type Place, placeGroups } from "./navigation.ts"
import { useRead } from "./Queries.ts"

const settlesAfter = 200

const placeOf: { readonly [T in SearchResult["type"]]: Place["id"] } = {
  contact: "contacts",
  campaign: "campaigns",
  template: "templates",
  partial: "templates",
  segment: "segments",
  workflow: "workflows",
  domain: "domains",
  email: "mails"
}

const pathsOfPlaces = new Map(placeGroups.flatMap(({ places }) => places).map(({ id, path }) => [id, path.slice(1)]))

/** The page of a record; nothing for a record without a page. */
export const pathOfRecord = (projectId: string, { type, id }: SearchResult): string | undefined => {
  const place = pathsOfPlaces.get(placeOf[type])
  if (place === undefined) return undefined
  return type === "partial" ? pathOf(projectId, place, "pieces", id) : pathOf(projectId, place, id)
}

export const useFoundRecords = (text: string): ReadonlyArray<SearchResult> => {
  const settled = useSettled(text.trim(), settlesAfter).slice(0, 200)
  const isAsked = settled.length >= 2
  const found = useRead(["search", settled], (api, options) => api.search.find({ q: settled, limit: 5 }, options), {
    enabled: isAsked,
    keep: true
  })
  return isAsked ? (found.data?.results ?? []) : []
}
