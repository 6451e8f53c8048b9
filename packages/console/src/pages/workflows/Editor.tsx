/** The steps of a workflow, as list or graph, with the panel and the menus of a step. */
import { useNavigate } from "@tanstack/react-router"
import { ListTree, Redo2, Undo2, Workflow as WorkflowIcon } from "lucide-react"
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from "react"
import { Button } from "../../kit/Button.tsx"
import { Bar, Row } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign } from "../../kit/Text.tsx"
import { type Config, connected, inserted, newId, removed, stepOf } from "./Drawing.ts"
import type { Faults } from "./faults.ts"
import { workflowRoute } from "./routes.ts"
import type { StepView } from "./StepCard.tsx"
import { type StepActions, StepList } from "./StepList.tsx"
import { ConnectMenu, InsertMenu } from "./StepMenus.tsx"
import type { Editing } from "./useDrawing.ts"
import { workflowWords } from "./words.ts"
import styles from "./workflows.module.css"

const Graph = lazy(() => import("./Graph.tsx"))
const StepSettings = lazy(async () => ({ default: (await import("./StepSettings.tsx")).StepSettings }))

const wide = matchMedia("(min-width: 768px)")

const subscribe = (listener: () => void) => {
  wide.addEventListener("change", listener)
  return () => wide.removeEventListener("change", listener)
}

/** The view that was chosen; otherwise the list on phones and the graph elsewhere. */
export const useView = (): "graph" | "list" => {
  const { view } = workflowRoute.useSearch()
  const isWide = useSyncExternalStore(subscribe, () => wide.matches)
  return view ?? (isWide ? "graph" : "list")
}

export const ViewSwitch = (): ReactNode => {
  const words = workflowWords()
  const view = useView()
  const navigate = useNavigate({ from: "/p/$projectId/workflows/$workflowId" })
  const other = view === "graph" ? "list" : "graph"
  return (
    <Button onPress={() => void navigate({ search: (before) => ({ ...before, view: other }), replace: true })}>
      {view === "graph" ? <ListTree size={16} aria-hidden /> : <WorkflowIcon size={16} aria-hidden />}
      {view === "graph" ? words.asList : words.asGraph}
    </Button>
  )
}

/** Gives the focus to a step once it is there. */
const focusStep = (id: string | undefined) => {
  if (id === undefined) return
  const find = () => document.querySelector<HTMLElement>(`[data-step="${id}"], .react-flow__node[data-id="${id}"]`)
  setTimeout(() => find()?.focus(), 50)
}

interface EditorProps {
  readonly editing: Editing
  readonly faults: Faults
  readonly isChecked: boolean
  readonly figures: StepView["figures"]
  readonly templates: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly onSave: () => void
}

export const Editor = ({ editing, faults, isChecked, figures, templates, onSave }: EditorProps): ReactNode => {
  const words = workflowWords()
  const view = useView()
  const { step: openId } = workflowRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/workflows/$workflowId" })
  const [menu, setMenu] = useState<readonly [kind: "insert" | "connect", id: string]>()
  const { drawing, change, undo, redo } = editing
  const open = (id: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, step: id }), replace: true, resetScroll: false })
  const opened = stepOf(drawing, openId)
  const menuStep = stepOf(drawing, menu?.[1])

  const actions: StepActions = {
    open,
    insert: (id) => setMenu(["insert", id]),
    connect: (id) => setMenu(["connect", id]),
    remove: (id) => {
      const step = stepOf(drawing, id)
      if (step === undefined) return
      if (step.type === "TRIGGER") return notify(words.triggerStays)
      const before = drawing.transitions.find(({ to }) => to === id)?.from
      change((each) => removed(each, step))
      notify(words.removed(step.name), undo)
      open(undefined)
      focusStep(before)
    }
  }

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return
      const key = event.key.toLowerCase()
      const isTyping = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA)$/.test(event.target.tagName)
      if (key === "s") {
        event.preventDefault()
        onSave()
      } else if (key === "z" && !isTyping) {
        event.preventDefault()
        if (event.shiftKey) redo()
        else undo()
      }
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  })

  const shown: StepView = { faults, figures, templates: new Map(templates.map(({ id, name }) => [id, name])) }
  const { errors, warnings } = faults.rest
  const isValid =
    isChecked && errors.length === 0 && [...faults.bySteps.values()].every((each) => each.errors.length === 0)
  return (
    <>
      <Row>
        <ViewSwitch />
        <Button kind="quiet" isIcon aria-label={words.undo} onPress={undo}>
          <Undo2 size={16} aria-hidden />
        </Button>
        <Button kind="quiet" isIcon aria-label={words.redo} onPress={redo}>
          <Redo2 size={16} aria-hidden />
        </Button>
        {view === "graph" && (
          <Button kind="quiet" onPress={() => void import("./layout.ts").then(({ tidied }) => change(tidied))}>
            {words.tidy}
          </Button>
        )}
        <span className={styles.quiet} role="status">
          {editing.isChanged ? words.unsaved : words.allSaved}
        </span>
        {isValid && !editing.base.enabled && (
          <State shape="dot" tone="good">
            {words.valid}
          </State>
        )}
      </Row>
      {errors.length + warnings.length > 0 && (
        <ul className={styles.faults}>
          {[...errors, ...warnings].map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <Foreign>{message}</Foreign>
            </li>
          ))}
        </ul>
      )}
      {view === "graph" ? (
        <Suspense fallback={<Bar height={560} />}>
          <Graph drawing={drawing} view={shown} actions={actions} change={change} />
        </Suspense>
      ) : (
        <StepList drawing={drawing} view={shown} actions={actions} />
      )}
      <p className={styles.quiet}>{view === "graph" ? words.graphKeys : words.stepKeys}</p>
      {opened !== undefined && menu === undefined && (
        <Suspense>
          <StepSettings
            key={opened.id}
            step={opened}
            drawing={drawing}
            change={change}
            faults={faults.bySteps.get(opened.id)}
            templates={templates}
            actions={actions}
            stored={editing.base.steps.find(({ id }) => id === opened.id)?.config as Config | undefined}
            onClose={() => {
              open(undefined)
              focusStep(opened.id)
            }}
          />
        </Suspense>
      )}
      {menu?.[0] === "insert" && menuStep !== undefined && (
        <InsertMenu
          step={menuStep}
          drawing={drawing}
          onClose={() => {
            setMenu(undefined)
            focusStep(menuStep.id)
          }}
          onInsert={(branch, type) => {
            const id = newId()
            change((before) => inserted(before, menuStep, branch, type, words.types[type], id))
            setMenu(undefined)
            open(id)
          }}
        />
      )}
      {menu?.[0] === "connect" && menuStep !== undefined && (
        <ConnectMenu
          step={menuStep}
          drawing={drawing}
          onClose={() => {
            setMenu(undefined)
            focusStep(menuStep.id)
          }}
          onConnect={(branch, to) => {
            change((before) => connected(before, menuStep.id, branch, to))
            setMenu(undefined)
            focusStep(menuStep.id)
          }}
        />
      )}
    </>
  )
}
