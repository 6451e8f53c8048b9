/** The settings of a shared piece: which one, and with which parameters. Its text is changed on its own page. */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { Select, TextField } from "../../kit/Field.tsx"
import { Bar, Problem } from "../../kit/Layout.tsx"
import { usePieces } from "../usePieces.ts"
import { editorWords } from "../words.ts"
import { useKept } from "./useKept.ts"

interface PieceProps {
  /** The name and the parameters: `footer year=2026`. */
  readonly expression: string
  readonly onChange: (expression: string) => boolean
}

export const Piece = ({ expression, onChange }: PieceProps): ReactNode => {
  const words = editorWords().blocks
  const projectId = useProjectId()
  const pieces = usePieces()
  const space = expression.search(/\s/)
  const name = space === -1 ? expression : expression.slice(0, space)
  const parameters = space === -1 ? "" : expression.slice(space).trim()
  const kept = useKept(parameters, (next) => onChange(`${name} ${next}`))
  if (pieces.error !== null) return <Problem error={pieces.error} onRetry={() => void pieces.refetch()} />
  if (pieces.data === undefined) return <Bar height={64} />
  const known = pieces.data.data.find((piece) => piece.name === name)
  const names = [...(known === undefined ? [name] : []), ...pieces.data.data.map((piece) => piece.name)]
  return (
    <>
      <Select
        label={words.piece}
        help={known === undefined ? words.noSuchPiece : undefined}
        choices={names.map((id) => ({ id, name: id }))}
        value={name}
        onChange={(chosen) => void onChange(`${chosen} ${parameters}`)}
      />
      <TextField label={words.parameters} help={words.parametersHelp} {...kept} />
      {known !== undefined && (
        <Link to="/p/$projectId/templates/pieces/$pieceId" params={{ projectId, pieceId: known.id }}>
          {words.editPiece}
        </Link>
      )}
    </>
  )
}
