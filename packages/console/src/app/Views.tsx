/**
 * Queries of a list under names: private ones, and those that all members share. A list opens with the one that was used
 * last, unless its URL has a query of its own.
 */
import type { View } from "@posthorn/client/session"
import { useLocation, useNavigate } from "@tanstack/react-router"
import { Bookmark } from "lucide-react"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { Dialog } from "../kit/Dialog.tsx"
import { DialogForm } from "../kit/DialogForm.tsx"
import { faultsOf } from "../kit/Faults.ts"
import { Checkbox, TextField } from "../kit/Field.tsx"
import { type Action, Menu } from "../kit/Menu.tsx"
import { notify } from "../kit/notices.ts"
import { useOpened, useProject, useProjectId } from "./Project.tsx"
import { useApi, useForget, useRead, useWrite } from "./Queries.ts"
import { parseSearch, stringifySearch } from "./search.ts"
import { lastView, rememberView } from "./viewsUsed.ts"
import { viewWords } from "./viewWords.ts"

type Page = View["page"]

/** The query of the URL in one spelling. */
const spelled = (query: string) => stringifySearch(parseSearch(query)).slice(1)

interface FormProps {
  readonly page: Page
  readonly query: string
  /** The view that is changed; null for a new one. */
  readonly view: View | null
  readonly onDone: (view: View) => void
  readonly onClose: () => void
}

const ViewForm = ({ page, query, view, onDone, onClose }: FormProps) => {
  const words = viewWords()
  const [name, setName] = useState(view?.name ?? "")
  const [shared, setShared] = useState(view?.shared ?? false)
  const save = useWrite(
    (api) =>
      view === null
        ? api.views.create({ page, name, query, shared })
        : api.views.update(view.id, { name, ...(view.createdBy !== null && { shared }) }),
    {
      changes: ["views"],
      onDone: (saved) => {
        onDone(saved)
        onClose()
        notify(words.saved(saved.name))
      }
    }
  )
  const faults = faultsOf(save.error, ["name"])
  return (
    <Dialog
      title={view === null ? words.saveTitle : words.changeTitle}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <DialogForm faults={faults} submit={words.saveButton} isPending={save.isPending} onSubmit={() => save.mutate()}>
        <TextField label={words.name} name="name" value={name} onChange={setName} isRequired autoFocus />
        {view?.createdBy !== null && (
          <Checkbox isSelected={shared} onChange={setShared}>
            {words.share}
          </Checkbox>
        )}
      </DialogForm>
    </Dialog>
  )
}

export const Views = ({ page }: { readonly page: Page }): ReactNode => {
  const words = viewWords()
  const projectId = useProjectId()
  const { user } = useOpened()
  const { role } = useProject()
  const api = useApi()
  const forget = useForget()
  const navigate = useNavigate()
  const { pathname, searchStr } = useLocation()
  const query = spelled(searchStr)
  const [isWanted, setWanted] = useState(false)
  const [form, setForm] = useState<View | "new" | null>(null)
  /** The last view, while the list was opened without a query. */
  const opening = useRef(query === "" ? lastView(projectId, page) : undefined)
  const views = useRead(["views", page], (api, options) => api.views.list({ page }, options), {
    enabled: isWanted || lastView(projectId, page) !== undefined,
    staleTime: 60_000
  })

  const go = (next: string, replace = false) =>
    void navigate({ to: pathname, search: parseSearch(next) as never, replace })
  const open = (view: View | undefined) => {
    rememberView(projectId, page, view?.id)
    go(view?.query ?? "")
  }
  useEffect(() => {
    if (opening.current === undefined || views.data === undefined) return
    const view = views.data.find(({ id }) => id === opening.current)
    opening.current = undefined
    if (view !== undefined && query === "") go(view.query, true)
  })

  const all = views.data ?? []
  const lastId = lastView(projectId, page)
  const last = all.find(({ id }) => id === lastId)
  const shown = all.find((view) => spelled(view.query) === query && query !== "") ?? (query === "" ? undefined : last)
  const mayChange = (view: View) => view.createdBy?.id === user.id || role !== "MEMBER"
  const remove = async (view: View) => {
    const { error } = await api.views.remove(view.id)
    if (error !== null) return notify(error.message)
    if (lastId === view.id) rememberView(projectId, page, undefined)
    notify(words.removed(view.name), () => void restore(view))
    await forget("views")
  }
  const restore = async ({ name, query, shared }: View) => {
    const { error } = await api.views.create({ page, name, query, shared })
    if (error !== null) notify(error.message)
    await forget("views")
  }
  const update = async (view: View) => {
    const { error } = await api.views.update(view.id, { query })
    notify(error === null ? words.saved(view.name) : error.message)
    await forget("views")
  }
  const titleOf = ({ name, shared, createdBy }: View) =>
    !shared
      ? name
      : createdBy?.id === user.id
        ? words.shared(name)
        : words.sharedBy(name, createdBy === null ? words.key : createdBy.email)

  const actions: ReadonlyArray<Action> = [
    { id: "all", name: words.all, onAction: () => open(undefined) },
    ...(views.data === undefined
      ? [
          {
            id: "wait",
            name: views.error === null ? words.loading : words.failed,
            onAction: () => void views.refetch()
          }
        ]
      : all.map((view) => ({ id: view.id, name: titleOf(view), onAction: () => open(view) }))),
    { id: "save", name: words.save, isLast: true, onAction: () => setForm("new") },
    ...(shown === undefined || !mayChange(shown)
      ? []
      : [
          ...(spelled(shown.query) === query
            ? []
            : [{ id: "update", name: words.update(shown.name), onAction: () => void update(shown) }]),
          { id: "change", name: words.change(shown.name), onAction: () => setForm(shown) },
          { id: "remove", name: words.remove(shown.name), onAction: () => void remove(shown) }
        ])
  ]
  return (
    <>
      <Menu actions={actions} onOpen={() => setWanted(true)}>
        <Bookmark size={16} aria-hidden />
        {words.views}
      </Menu>
      {form !== null && (
        <ViewForm
          page={page}
          query={query}
          view={form === "new" ? null : form}
          onDone={({ id }) => rememberView(projectId, page, id)}
          onClose={() => setForm(null)}
        />
      )}
    </>
  )
}
