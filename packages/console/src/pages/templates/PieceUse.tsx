/** The texts that include a piece: a change of it acts on all of them. */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import own from "../../editor/editor.module.css"
import { Bar, Empty, Problem } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { templateWords } from "./words.ts"

export const PieceUse = ({ id }: { readonly id: string }): ReactNode => {
  const words = templateWords()
  const projectId = useProjectId()
  const usage = useRead(["partials", id, "usage"], (api, options) => api.partials.usage(id, options))
  if (usage.data === undefined) return usage.error === null ? <Bar height={40} /> : <Problem error={usage.error} />
  const { templates, partials, campaigns } = usage.data
  const count = templates.length + partials.length + campaigns.length
  if (count === 0) return <Empty about={words.notUsed} />
  return (
    <>
      <p>{words.usedBy(count)}</p>
      <ul className={own.list}>
        {templates.map(({ id, name }) => (
          <li key={id}>
            <Link to="/p/$projectId/templates/$templateId" params={{ projectId, templateId: id }}>
              <Foreign>{name}</Foreign>
            </Link>
          </li>
        ))}
        {partials.map(({ id, name }) => (
          <li key={id}>
            <Link to="/p/$projectId/templates/pieces/$pieceId" params={{ projectId, pieceId: id }}>
              <Foreign>{name}</Foreign>
            </Link>
          </li>
        ))}
        {campaigns.map(({ id, name }) => (
          <li key={id}>
            <Link to="/p/$projectId/campaigns/$campaignId" params={{ projectId, campaignId: id }}>
              <Foreign>{name}</Foreign>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
