/** Which view of a list was used last in this browser, by project. Only ids are kept, no query. */
const name = "posthorn.views"

type Used = { readonly [project: string]: { readonly [page: string]: string } }

const read = (): Used => {
  try {
    const used: unknown = JSON.parse(localStorage.getItem(name) ?? "{}")
    return typeof used === "object" && used !== null ? (used as Used) : {}
  } catch {
    return {}
  }
}

export const lastView = (project: string, page: string): string | undefined => read()[project]?.[page]

/** Without an id, the list opens with everything. */
export const rememberView = (project: string, page: string, id: string | undefined): void => {
  const used = read()
  const { [page]: _, ...others } = used[project] ?? {}
  const pages = id === undefined ? others : { ...others, [page]: id }
  localStorage.setItem(name, JSON.stringify({ ...used, [project]: pages }))
}
