/** The drawing of a workflow with undo and redo. It is local until it is saved. */
import type { WorkflowDetail } from "@posthorn/client/session"
import { useReducer } from "react"
import { type Drawing, isSame, withIds } from "./Drawing.ts"
import { drawingOf } from "./stored.ts"

interface State {
  /** The workflow as it was read or saved last. */
  readonly base: WorkflowDetail
  readonly past: ReadonlyArray<Drawing>
  readonly present: Drawing
  readonly future: ReadonlyArray<Drawing>
  /** Changes with the same name follow each other as one step of undo. */
  readonly name: string | undefined
}

type Action =
  | { readonly do: "change"; readonly change: (drawing: Drawing) => Drawing; readonly name: string | undefined }
  | { readonly do: "undo" | "redo" }
  | { readonly do: "take"; readonly workflow: WorkflowDetail }
  | { readonly do: "stamp"; readonly workflow: WorkflowDetail }
  | {
      readonly do: "saved"
      readonly workflow: WorkflowDetail
      readonly ids: { readonly [key: string]: string }
      /** The drawing that was sent. */
      readonly sent: Drawing
    }

const most = 100

const initial = (base: WorkflowDetail): State => ({
  base,
  past: [],
  present: drawingOf(base),
  future: [],
  name: undefined
})

const reduce = (state: State, action: Action): State => {
  const { past, present, future } = state
  switch (action.do) {
    case "change": {
      const next = action.change(present)
      if (next === present) return state
      const isMore = action.name !== undefined && action.name === state.name
      return {
        ...state,
        past: isMore ? past : [...past, present].slice(-most),
        present: next,
        future: [],
        name: action.name
      }
    }
    case "undo": {
      const before = past.at(-1)
      if (before === undefined) return state
      return { ...state, past: past.slice(0, -1), present: before, future: [present, ...future], name: undefined }
    }
    case "redo": {
      const [after, ...rest] = future
      if (after === undefined) return state
      return { ...state, past: [...past, present], present: after, future: rest, name: undefined }
    }
    case "take":
      return initial(action.workflow)
    case "stamp":
      return { ...state, base: action.workflow }
    case "saved": {
      const named = (drawing: Drawing) => withIds(drawing, action.ids)
      return {
        base: action.workflow,
        past: past.map(named),
        // What was drawn while it was being saved stays, and is not saved yet.
        present: present === action.sent ? drawingOf(action.workflow) : named(present),
        future: future.map(named),
        name: undefined
      }
    }
  }
}

export const useDrawing = (workflow: WorkflowDetail) => {
  const [state, dispatch] = useReducer(reduce, workflow, initial)
  const isChanged = !isSame(state.present, drawingOf(state.base))
  // What was read later is shown at once, unless there are changes that it would drop.
  if (!isChanged && workflow.updatedAt > state.base.updatedAt) dispatch({ do: "take", workflow })
  return {
    base: state.base,
    drawing: state.present,
    isChanged,
    canUndo: state.past.length > 0,
    canRedo: state.future.length > 0,
    change: (change: (drawing: Drawing) => Drawing, name?: string) => dispatch({ do: "change", change, name }),
    undo: () => dispatch({ do: "undo" }),
    redo: () => dispatch({ do: "redo" }),
    /** Replaces everything by the stored workflow. */
    take: (taken: WorkflowDetail) => dispatch({ do: "take", workflow: taken }),
    /** Keeps the drawing, and takes the stored workflow as what it is compared with. */
    stamp: (stored: WorkflowDetail) => dispatch({ do: "stamp", workflow: stored }),
    saved: (stored: WorkflowDetail, ids: { readonly [key: string]: string }, sent: Drawing) =>
      dispatch({ do: "saved", workflow: stored, ids, sent })
  }
}

export type Editing = ReturnType<typeof useDrawing>
