import type { Template, TemplateDraft } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useRef, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget, useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { Bar, Problem } from "../../kit/Layout.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { TabLinks } from "../../kit/Navigation.tsx"
import { holdBack, notify } from "../../kit/notices.ts"
import { Foreign } from "../../kit/Text.tsx"
import { Content } from "./Content.tsx"
import { Details } from "./Details.tsx"
import { DraftState } from "./DraftState.tsx"
import { templateRoute } from "./routes.ts"
import { type Draft, useDraft } from "./useDraft.ts"
import { templateWords } from "./words.ts"

const ChangedMeanwhile = lazy(async () => ({ default: (await import("./ChangedMeanwhile.tsx")).ChangedMeanwhile }))
const Results = lazy(async () => ({ default: (await import("./Results.tsx")).Results }))
const TestDialog = lazy(async () => ({ default: (await import("./TestDialog.tsx")).TestDialog }))
const Versions = lazy(async () => ({ default: (await import("./Versions.tsx")).Versions }))

interface OpenedProps {
  readonly template: Template
  readonly draft: TemplateDraft | null
  /** Opens the template again, with what is stored now. */
  readonly onReopen: () => Promise<void>
}

const useActions = (template: Template, draft: Draft, onReopen: () => Promise<void>) => {
  const words = templateWords()
  const projectId = useProjectId()
  const api = useApi()
  const forget = useForget()
  const navigate = useNavigate()
  const publish = useWrite((api, force: boolean) => api.templates.publish(template.id, { force }), {
    onDone: async ({ version }) => {
      notify(words.published(version))
      await onReopen()
    }
  })
  const discard = useWrite((api) => api.templates.deleteDraft(template.id), {
    onDone: async () => {
      notify(words.discarded)
      await onReopen()
    }
  })
  const duplicate = useWrite((api) => api.templates.duplicate(template.id), {
    changes: ["templates"],
    onDone: ({ id }) =>
      void navigate({ to: "/p/$projectId/templates/$templateId", params: { projectId, templateId: id } })
  })
  const remove = async () => {
    const { error } = await api.templates.delete(template.id)
    if (error !== null) notify(error.message)
    await forget("templates")
  }
  return {
    publish,
    discard,
    publishNow: async () => {
      if (await draft.flush()) publish.mutate(false)
    },
    menu: [
      ...(draft.state === "none" ? [] : [{ id: "discard", name: words.discard, onAction: () => discard.mutate() }]),
      { id: "duplicate", name: words.duplicate, onAction: () => duplicate.mutate() },
      {
        id: "delete",
        name: words.delete,
        isLast: true,
        onAction: () => {
          holdBack(words.deleted(template.name), () => void remove())
          void navigate({ to: "/p/$projectId/templates", params: { projectId } })
        }
      }
    ]
  }
}

const Opened = ({ template, draft: storedDraft, onReopen }: OpenedProps) => {
  const words = templateWords()
  const projectId = useProjectId()
  const { view = "content" } = templateRoute.useSearch()
  const missing = useMissing("templates.publish")
  const noTest = useMissing("templates.test")
  const [isTesting, setTesting] = useState(false)
  const draft = useDraft(template, storedDraft)
  const { publish, discard, publishNow, menu } = useActions(template, draft, onReopen)
  const params = { projectId, templateId: template.id }
  const isChanged = publish.error?.details?.["reason"] === "version_changed"
  return (
    <Page
      title={template.name}
      heading={<Foreign>{template.name}</Foreign>}
      back={{ name: words.templates, link: { to: "/p/$projectId/templates", params: { projectId } } }}
      actions={
        <>
          <DraftState state={draft.state} />
          <Button missing={noTest} onPress={() => setTesting(true)}>
            {words.sendTest}
          </Button>
          <Button
            kind="primary"
            missing={missing}
            isPending={publish.isPending}
            onPress={() => (draft.state === "none" ? notify(words.live(template.version)) : void publishNow())}
          >
            {words.publish}
          </Button>
          <ShowCode call={{ operation: "templates.get", path: [template.id] }} />
          <Menu actions={menu} />
        </>
      }
    >
      <TabLinks
        label={words.views}
        current={view}
        tabs={(["content", "details", "versions", "results"] as const).map((id) => ({
          id,
          name: words.view[id],
          link: {
            to: "/p/$projectId/templates/$templateId",
            params,
            search: id === "content" ? {} : { view: id }
          }
        }))}
      />
      {draft.error !== null && <Problem error={draft.error} onRetry={() => void draft.flush()} />}
      {publish.error !== null && !isChanged && <Problem error={publish.error} />}
      {view === "content" && <Content template={template} draft={draft} />}
      {view === "details" && <Details template={template} />}
      <Suspense fallback={<Bar height={240} />}>
        {view === "versions" && <Versions kind="templates" record={template} onRestored={onReopen} />}
        {view === "results" && <Results id={template.id} />}
      </Suspense>
      <Suspense>
        {isTesting && <TestDialog template={template} draft={draft} onClose={() => setTesting(false)} />}
        {isChanged && (
          <ChangedMeanwhile
            id={template.id}
            mine={draft.fields}
            onClose={() => publish.reset()}
            onKeep={() => publish.mutate(true)}
            onTake={() => discard.mutate()}
          />
        )}
      </Suspense>
    </Page>
  )
}

export const TemplatePage = (): ReactNode => {
  const words = templateWords()
  const projectId = useProjectId()
  const { templateId } = templateRoute.useParams()
  return <Loaded key={templateId} id={templateId} words={words} projectId={projectId} />
}

const Loaded = ({
  id,
  words,
  projectId
}: {
  readonly id: string
  readonly words: ReturnType<typeof templateWords>
  readonly projectId: string
}) => {
  const forget = useForget()
  const [round, setRound] = useState(0)
  const isOpened = useRef(false)
  const template = useRead(["template", id], (api, options) => api.templates.get(id, options), { staleTime: 0 })
  const hasDraft = template.isFetchedAfterMount && template.data !== undefined && template.data.draft !== null
  const draft = useRead(["template-draft", id], (api, options) => api.templates.draft(id, options), {
    enabled: hasDraft,
    staleTime: 0
  })
  const isReady = template.isFetchedAfterMount && (!hasDraft || draft.isFetchedAfterMount)
  if (isReady) isOpened.current = true
  const reopen = async () => {
    await forget("template", "templates")
    setRound((count) => count + 1)
  }
  const error = template.error ?? (hasDraft ? draft.error : null)
  const back = { name: words.templates, link: { to: "/p/$projectId/templates", params: { projectId } } } as const
  if (!isOpened.current || template.data === undefined) {
    return (
      <Page title={words.templates} back={back}>
        {error === null ? <Bar height={480} /> : <Problem error={error} onRetry={() => void template.refetch()} />}
      </Page>
    )
  }
  return (
    <Opened key={round} template={template.data} draft={hasDraft ? (draft.data ?? null) : null} onReopen={reopen} />
  )
}
