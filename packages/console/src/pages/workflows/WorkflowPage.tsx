import type { PosthornError, WorkflowDetail } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
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
import { bodyOf, type Drawing } from "./Drawing.ts"
import { Editor } from "./Editor.tsx"
import { FiguresOf } from "./FiguresOf.tsx"
import { LeaveGuard } from "./LeaveGuard.tsx"
import { Meanwhile } from "./Meanwhile.tsx"
import { Refused } from "./Refused.tsx"
import { useFaults, useFigures } from "./reads.ts"
import { workflowRoute } from "./routes.ts"
import { useDrawing } from "./useDrawing.ts"
import { WorkflowState } from "./WorkflowState.tsx"
import { workflowWords } from "./words.ts"

const Executions = lazy(async () => ({ default: (await import("./Executions.tsx")).Executions }))
const JourneySettings = lazy(async () => ({ default: (await import("./JourneySettings.tsx")).JourneySettings }))
const RenameWorkflow = lazy(async () => ({ default: (await import("./RenameWorkflow.tsx")).RenameWorkflow }))
const StartForContact = lazy(async () => ({ default: (await import("./StartForContact.tsx")).StartForContact }))
const TestPlayer = lazy(async () => ({ default: (await import("./TestPlayer.tsx")).TestPlayer }))
const VersionBar = lazy(async () => ({ default: (await import("./VersionBar.tsx")).VersionBar }))
const Versions = lazy(async () => ({ default: (await import("./Versions.tsx")).Versions }))

const isMeanwhile = (error: PosthornError) => error.details["reason"] === "changed_meanwhile"

const Loaded = ({ workflow }: { readonly workflow: WorkflowDetail }) => {
  const words = workflowWords()
  const projectId = useProjectId()
  const api = useApi()
  const forget = useForget()
  const navigate = useNavigate()
  const { tab, version: ofVersion, days } = workflowRoute.useSearch()
  const missing = useMissing("workflows.replaceGraph")
  const [opened, setOpened] = useState<"details" | "journey" | "start" | "trial">()
  const [theirs, setTheirs] = useState<WorkflowDetail>()
  const { id, name, enabled } = workflow
  const editing = useDrawing(workflow)
  const { base, drawing } = editing
  const [faults, isChecked] = useFaults(id, editing)
  const figures = useFigures(id, { version: ofVersion, days })
  const templates = useRead(["templates", "choices"], (each, options) =>
    each.templates.list({ pageSize: 100, sort: "name", dir: "asc" }, options).page()
  )
  const choices = templates.data?.data ?? []
  const changes = ["workflows"]

  const save = useWrite(
    (_, [sent, ifUpdatedAt]: readonly [sent: Drawing, ifUpdatedAt: string]) =>
      api.workflows.replaceGraph(id, bodyOf(sent, ifUpdatedAt)),
    { changes, onDone: ({ ids, ...saved }, [sent]) => editing.saved(saved, ids, sent) }
  )
  /** The workflow as it is stored now; null if it was refused. */
  const put = async (ifUpdatedAt = base.updatedAt): Promise<WorkflowDetail | null> => {
    try {
      return await save.mutateAsync([drawing, ifUpdatedAt])
    } catch (error) {
      if (isMeanwhile(error as PosthornError)) setTheirs((await api.workflows.get(id)).data ?? undefined)
      return null
    }
  }
  const onSave = async (ifUpdatedAt?: string) => {
    if ((await put(ifUpdatedAt)) !== null) notify(words.saved)
  }
  const toggle = useWrite((_, on: boolean) => api.workflows.update(id, { enabled: on }), {
    changes,
    onDone: (stored, on) => {
      editing.stamp(stored)
      notify(on ? words.enabled(name) : words.disabled(name), () => toggle.mutate(!on))
    }
  })
  const onToggle = async () => {
    if (!enabled && editing.isChanged && (await put()) === null) return
    toggle.mutate(!enabled)
  }
  const version = useWrite((_, versioning: WorkflowDetail["versioning"]) => api.workflows.update(id, { versioning }), {
    changes,
    onDone: (stored) => {
      editing.stamp(stored)
      notify(stored.versioning === "PUBLISHED" ? words.versions.used : words.versions.left)
    }
  })
  const remove = useWrite(() => api.workflows.delete(id), { changes })
  const duplicate = useWrite(() => api.workflows.duplicate(id), {
    changes,
    onDone: (copy) => {
      notify(words.duplicated)
      void navigate({ to: "/p/$projectId/workflows/$workflowId", params: { projectId, workflowId: copy.id } })
    }
  })
  const back = { to: "/p/$projectId/workflows", params: { projectId } } as const
  const here = { to: "/p/$projectId/workflows/$workflowId", params: { projectId, workflowId: id } } as const
  const shownError = [save.error, toggle.error, version.error, remove.error, duplicate.error].find(
    (error) => error !== null && !isMeanwhile(error)
  )
  return (
    <Page
      title={name}
      heading={<Foreign>{name}</Foreign>}
      back={{ name: words.title, link: back }}
      actions={
        <>
          <WorkflowState enabled={enabled} />
          <Button
            kind={editing.isChanged ? "primary" : "plain"}
            missing={missing}
            isPending={save.isPending}
            onPress={() => void onSave()}
          >
            {words.save}
          </Button>
          <Button
            kind={!enabled && !editing.isChanged ? "primary" : "plain"}
            missing={missing}
            isPending={toggle.isPending}
            onPress={() => void onToggle()}
          >
            {enabled ? words.disable : words.enable}
          </Button>
          <ShowCode call={{ operation: "workflows.get", path: [id] }} />
          <Menu
            actions={[
              { id: "details", name: words.details, onAction: () => setOpened("details") },
              { id: "journey", name: words.journey.title, onAction: () => setOpened("journey") },
              { id: "trial", name: words.trial.title, onAction: () => setOpened("trial") },
              { id: "start", name: words.start, onAction: () => setOpened("start") },
              base.versioning === "LIVE"
                ? { id: "versions", name: words.versions.use, onAction: () => version.mutate("PUBLISHED") }
                : { id: "versions", name: words.versions.leave, onAction: () => version.mutate("LIVE") },
              { id: "duplicate", name: words.duplicate, onAction: () => duplicate.mutate() },
              {
                id: "delete",
                name: words.delete,
                isLast: true,
                onAction: () => {
                  holdBack(words.deleted(name), () => remove.mutate())
                  void navigate(back)
                }
              }
            ]}
          />
        </>
      }
    >
      <TabLinks
        label={words.parts}
        current={tab ?? "steps"}
        tabs={[
          { id: "steps", name: words.steps, link: { ...here, search: {} } },
          { id: "executions", name: words.executions, link: { ...here, search: { tab: "executions" } } },
          { id: "versions", name: words.versions.title, link: { ...here, search: { tab: "versions" } } }
        ]}
      />
      {shownError != null && <Refused error={shownError} base={base} drawing={drawing} />}
      {base.versioning === "PUBLISHED" && tab !== "executions" && (
        <Suspense>
          <VersionBar editing={editing} save={async () => (await put()) !== null} />
        </Suspense>
      )}
      {tab === "executions" ? (
        <Suspense fallback={<Bar height={320} />}>
          <Executions workflow={workflow} />
        </Suspense>
      ) : tab === "versions" ? (
        <Suspense fallback={<Bar height={240} />}>
          <Versions workflow={base} onRestored={editing.take} />
        </Suspense>
      ) : (
        <>
          <FiguresOf id={id} />
          <Editor
            editing={editing}
            faults={faults}
            isChecked={isChecked}
            figures={figures}
            templates={choices}
            onSave={() => void onSave()}
          />
        </>
      )}
      <LeaveGuard isChanged={editing.isChanged} />
      {theirs !== undefined && (
        <Meanwhile
          mine={drawing}
          theirs={theirs}
          templates={new Map(choices.map((each) => [each.id, each.name]))}
          onClose={() => setTheirs(undefined)}
          onKeep={() => {
            setTheirs(undefined)
            // A step that was added meanwhile is not in mine, and a step that was removed meanwhile comes back.
            void onSave(theirs.updatedAt)
          }}
          onTake={() => {
            setTheirs(undefined)
            editing.take(theirs)
            void forget("workflows")
          }}
        />
      )}
      <Suspense>
        {opened === "details" && (
          <RenameWorkflow workflow={workflow} editing={editing} onClose={() => setOpened(undefined)} />
        )}
        {opened === "journey" && (
          <JourneySettings workflow={base} editing={editing} onClose={() => setOpened(undefined)} />
        )}
        {opened === "trial" && <TestPlayer workflow={base} onClose={() => setOpened(undefined)} />}
        {opened === "start" && <StartForContact id={id} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </Page>
  )
}

export const WorkflowPage = (): ReactNode => {
  const words = workflowWords()
  const projectId = useProjectId()
  const { workflowId } = workflowRoute.useParams()
  const workflow = useRead(
    ["workflows", workflowId, "record"],
    (api, options) => api.workflows.get(workflowId, options),
    { every: 10_000 }
  )
  if (workflow.data !== undefined) return <Loaded key={workflowId} workflow={workflow.data} />
  return (
    <Page
      title={words.title}
      back={{ name: words.title, link: { to: "/p/$projectId/workflows", params: { projectId } } }}
    >
      {workflow.error === null ? (
        <Bar height={560} />
      ) : (
        <Problem error={workflow.error} onRetry={() => void workflow.refetch()} />
      )}
    </Page>
  )
}
