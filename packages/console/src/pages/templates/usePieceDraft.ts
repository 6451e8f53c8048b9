/** The draft of a piece. */
import type { PartialDraft, Partial as Piece } from "@posthorn/client/session"
import { useQueryClient } from "@tanstack/react-query"
import { useProjectId } from "../../app/Project.tsx"
import { useApi } from "../../app/Queries.ts"
import { type Saved, useSavedSoon } from "./useSavedSoon.ts"

export interface PieceFields {
  readonly body: string
  /** Empty: text parts cannot include the piece. */
  readonly text: string
}

export type PieceDraft = Saved<PieceFields>

export const usePieceDraft = (piece: Piece, draft: PartialDraft | null): PieceDraft => {
  const api = useApi()
  const client = useQueryClient()
  const project = useProjectId()
  const { body, text } = draft ?? piece
  return useSavedSoon<PieceFields, PartialDraft>({
    first: { body, text: text ?? "" },
    draft,
    save: (fields) => api.partials.saveDraft(piece.id, { body: fields.body, text: fields.text || null }),
    onStored: (stored) => {
      const { basedOn, updatedAt } = stored
      client.setQueryData([project, "piece-draft", piece.id], stored)
      client.setQueryData<Piece>([project, "partials", piece.id], (known) =>
        known === undefined ? undefined : { ...known, draft: { basedOn, updatedAt } }
      )
    }
  })
}
