/** Keys that work on every page. Single letters can be switched off (WCAG 2.1.4). */
import { useNavigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { placeGroups } from "./navigation.ts"
import { preferences } from "./Preferences.ts"
import { useProjectId } from "./Project.tsx"

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const isInDialog = () =>
  document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]') !== null

/** `/` leads to the search of the page, `g` and a letter to a place. */
export const useKeys = (): void => {
  const navigate = useNavigate()
  const projectId = useProjectId()
  useEffect(() => {
    let pressedG = 0
    const places = new Map(placeGroups.flatMap(({ places }) => places).map(({ key, path }) => [key, path]))
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isInDialog()) return
      if (!preferences().letters) return
      if (event.key === "/") {
        const search = document.querySelector<HTMLInputElement>("[data-page-search]")
        if (search === null) return
        event.preventDefault()
        search.focus()
        search.select()
      } else if (event.key === "g") {
        pressedG = event.timeStamp
      } else if (event.timeStamp - pressedG < 1_500) {
        pressedG = 0
        const path = places.get(event.key)
        if (path === undefined) return
        event.preventDefault()
        void navigate({ to: `/p/${projectId}${path === "/" ? "" : path}` as "/" })
      }
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [navigate, projectId])
}
