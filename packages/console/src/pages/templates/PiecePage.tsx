import type { PartialDraft, Partial as Piece } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useRef, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget, useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { Bar, Problem } from "../../kit/Layout.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { TabLinks } from "../../kit/Navigation.tsx"
import { holdBack, notify } from "../../kit/notices.ts"
import { Foreign } from "../../kit/Text.tsx"
import { pieceText } from "./comparable.ts"
import { DraftState } from "./DraftState.tsx"
import { PieceContent } from "./PieceContent.tsx"
import { PieceDetails } from "./PieceDetails.tsx"
import { PieceUse } from "./PieceUse.tsx"
import { pieceRoute } from "./routes.ts"
import { usePieceDraft } from "./usePieceDraft.ts"
import { templateWords } from "./words.ts"

const Conflict = lazy(async () => ({ default: (await import("../../editor/Conflict.tsx")).Conflict }))

const Versions = lazy(async () => ({ default: (await import("./Versions.tsx")).Versions }))

const views = ["content", "details", "versions", "use"] as const

const useList = () => ({ to: "/p/$projectId/templates/pieces", params: { projectId: useProjectId() } }) as const

interface OpenedProps {
  readonly piece: Piece
  readonly draft: PartialDraft | null
  /** Opens the piece again, with what is stored now. */
  readonly onReopen: () => Promise<void>
}

const Opened = ({ piece, draft: stored, onReopen }: OpenedProps) => {
  const words = templateWords()
  const projectId = useProjectId()
  const api = useApi()
  const forget = useForget()
  const navigate = useNavigate()
  const list = useList()
  const { view = "content" } = pieceRoute.useSearch()
  const missing = useMissing("partials.publish")
  const draft = usePieceDraft(piece, stored)
  const publish = useWrite((api, force: boolean) => api.partials.publish(piece.id, { force }), {
    onDone: async ({ version }) => {
      notify(words.published(version))
      await onReopen()
    }
  })
  const discard = useWrite((api) => api.partials.deleteDraft(piece.id), {
    onDone: async () => {
      notify(words.discarded)
      await onReopen()
    }
  })
  const isChanged = publish.error?.details?.["reason"] === "version_changed"
  const theirs = useRead(["partials", piece.id, "live"], (api, options) => api.partials.get(piece.id, options), {
    enabled: isChanged,
    staleTime: 0
  })
  const remove = async () => {
    const { error } = await api.partials.delete(piece.id)
    if (error !== null) notify(error.message)
    await forget("partials")
  }
  const publishNow = async () => {
    if (await draft.flush()) publish.mutate(false)
  }
  return (
    <Page
      title={piece.name}
      heading={<Foreign>{piece.name}</Foreign>}
      back={{ name: words.pieces, link: list }}
      actions={
        <>
          <DraftState state={draft.state} />
          <Button
            kind="primary"
            missing={missing}
            isPending={publish.isPending}
            onPress={() => (draft.state === "none" ? notify(words.live(piece.version)) : void publishNow())}
          >
            {words.publish}
          </Button>
          <Menu
            actions={[
              ...(draft.state === "none"
                ? []
                : [{ id: "discard", name: words.discard, onAction: () => discard.mutate() }]),
              {
                id: "delete",
                name: words.delete,
                isLast: true,
                onAction: () => {
                  holdBack(words.deleted(piece.name), () => void remove())
                  void navigate(list)
                }
              }
            ]}
          />
        </>
      }
    >
      <TabLinks
        label={words.pieceViews}
        current={view}
        tabs={views.map((id) => ({
          id,
          name: words.view[id],
          link: {
            to: "/p/$projectId/templates/pieces/$pieceId",
            params: { projectId, pieceId: piece.id },
            search: id === "content" ? {} : { view: id }
          }
        }))}
      />
      {draft.error !== null && <Problem error={draft.error} onRetry={() => void draft.flush()} />}
      {publish.error !== null && !isChanged && <Problem error={publish.error} />}
      {view === "content" && <PieceContent draft={draft} />}
      {view === "details" && <PieceDetails piece={piece} />}
      {view === "versions" && (
        <Suspense fallback={<Bar height={240} />}>
          <Versions kind="partials" record={piece} onRestored={onReopen} />
        </Suspense>
      )}
      {view === "use" && <PieceUse id={piece.id} />}
      {isChanged && (
        <Suspense>
          <Conflict
            title={words.changedMeanwhile}
            about={words.changedText}
            theirsName={words.theirs}
            mineName={words.mine}
            theirs={theirs.data && pieceText(theirs.data)}
            mine={pieceText({ body: draft.fields.body, text: draft.fields.text || null })}
            take={words.takeTheirs}
            keep={words.keepMine}
            {...(theirs.error !== null && { problem: <Problem error={theirs.error} /> })}
            onTake={() => discard.mutate()}
            onKeep={() => publish.mutate(true)}
            onClose={() => publish.reset()}
          />
        </Suspense>
      )}
    </Page>
  )
}

const Loaded = ({ id }: { readonly id: string }) => {
  const words = templateWords()
  const forget = useForget()
  const list = useList()
  const [round, setRound] = useState(0)
  const isOpened = useRef(false)
  const piece = useRead(["partials", id], (api, options) => api.partials.get(id, options), { staleTime: 0 })
  const hasDraft = piece.isFetchedAfterMount && piece.data !== undefined && piece.data.draft !== null
  const draft = useRead(["piece-draft", id], (api, options) => api.partials.draft(id, options), {
    enabled: hasDraft,
    staleTime: 0
  })
  if (piece.isFetchedAfterMount && (!hasDraft || draft.isFetchedAfterMount)) isOpened.current = true
  const reopen = async () => {
    await forget("partials")
    setRound((count) => count + 1)
  }
  const error = piece.error ?? (hasDraft ? draft.error : null)
  if (!isOpened.current || piece.data === undefined) {
    return (
      <Page title={words.pieces} back={{ name: words.pieces, link: list }}>
        {error === null ? <Bar height={480} /> : <Problem error={error} onRetry={() => void piece.refetch()} />}
      </Page>
    )
  }
  return <Opened key={round} piece={piece.data} draft={hasDraft ? (draft.data ?? null) : null} onReopen={reopen} />
}

export const PiecePage = (): ReactNode => {
  const words = templateWords()
  const list = useList()
  const { pieceId } = pieceRoute.useParams()
  if (pieceId !== "new") return <Loaded key={pieceId} id={pieceId} />
  return (
    <Page title={words.newPiece} back={{ name: words.pieces, link: list }}>
      <PieceDetails piece={null} />
    </Page>
  )
}
