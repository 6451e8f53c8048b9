/** Keys that work on every page. Single letters can be switched off (WCAG 2.1.4). */
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useEffect } from "react"
import { placeGroups } from "./navigation.ts"
import { preferences } from "./Preferences.ts"
import { useProjectId } from "./Project.tsx"

const Palette = lazy(() => import("./Palette.tsx"))
const KeyHelp = lazy(() => import("./KeyHelp.tsx"))

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const isOverlaid = () =>
  document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]') !== null

const focusSearch = () => {
  const search = document.querySelector<HTMLInputElement>("[data-page-search]")
  search?.focus()
  search?.select()
  return search !== null
}

export type Overlay = "palette" | "help"

interface KeysProps {
  readonly opened: Overlay | undefined
  readonly onOpen: (overlay: Overlay | undefined) => void
}

/** Ctrl K opens the palette, `/` leads to the search of the page, `?` shows all keys, `g` and a letter lead to a place. */
export const Keys = ({ opened, onOpen }: KeysProps): ReactNode => {
  const navigate = useNavigate()
  const projectId = useProjectId()

  useEffect(() => {
    let pressedG = Number.NEGATIVE_INFINITY
    const places = new Map(placeGroups.flatMap((group) => group.places).map(({ key, path }) => [key, path]))

    const byLetter = (event: KeyboardEvent): boolean => {
      if (event.key === "/") return focusSearch()
      if (event.key === "?") {
        onOpen("help")
        return true
      }
      const path = event.timeStamp - pressedG < 1_500 ? places.get(event.key) : undefined
      pressedG = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (path === undefined) return false
      void navigate({ to: `/p/${projectId}${path === "/" ? "" : path}` as "/" })
      return true
    }
    const onKey = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (isCommand && event.key.toLowerCase() === "k") {
        event.preventDefault()
        onOpen("palette")
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isOverlaid()) return
      if (preferences().letters && byLetter(event)) event.preventDefault()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [navigate, projectId, onOpen])

  const close = () => onOpen(undefined)
  return (
    <Suspense>
      {opened === "palette" && <Palette onClose={close} />}
      {opened === "help" && <KeyHelp onClose={close} />}
    </Suspense>
  )
}
