/** What became of the mail from a template, and what uses it. */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import styles from "../../editor/editor.module.css"
import { DataTable } from "../../kit/DataTable.tsx"
import { Bar, Card, Empty, Facts, Problem, Stack } from "../../kit/Layout.tsx"
import { Count, Foreign, Rate } from "../../kit/Text.tsx"
import { templateWords } from "./words.ts"

const Totals = ({ id }: { readonly id: string }) => {
  const words = templateWords()
  const projectId = useProjectId()
  const stats = useRead(["template", id, "stats"], (api, options) => api.templates.stats(id, options))
  if (stats.error !== null) return <Problem error={stats.error} onRetry={() => void stats.refetch()} />
  if (stats.data === undefined) return <Bar height={160} />
  const { sent, ...counts } = stats.data
  const names = ["delivered", "opened", "clicked", "bounced", "complained", "failed"] as const
  return (
    <Facts
      facts={[
        [
          words.sent,
          <Link key="sent" to="/p/$projectId/mails" params={{ projectId }} search={{ template: id }}>
            <Count value={sent} />
          </Link>
        ],
        ...names.map(
          (name) =>
            [
              words[name],
              <span key={name}>
                <Count value={counts[name]} /> (<Rate part={counts[name]} of={sent} />)
              </span>
            ] as const
        )
      ]}
    />
  )
}

const Links = ({ id }: { readonly id: string }) => {
  const words = templateWords()
  const links = useRead(["template", id, "links"], (api, options) => api.templates.links(id, options))
  if (links.error !== null) return <Problem error={links.error} onRetry={() => void links.refetch()} />
  if (links.data === undefined) return <Bar height={120} />
  const rows = links.data.links.map((link, index) => ({ ...link, id: `${index} ${link.url}` }))
  if (rows.length === 0) return <Empty about={words.noLinks} />
  return (
    <DataTable
      label={words.links}
      rows={rows}
      rowName={({ url }) => url}
      columns={[
        { id: "url", name: words.link, cell: ({ url }) => <Foreign>{url}</Foreign> },
        {
          id: "clicks",
          name: words.clicks,
          isNumber: true,
          isFit: true,
          cell: ({ clicks }) => <Count value={clicks} />
        },
        {
          id: "mails",
          name: words.uniqueClicks,
          isNumber: true,
          isFit: true,
          cell: ({ uniqueClicks }) => <Count value={uniqueClicks} />
        }
      ]}
    />
  )
}

const Use = ({ id }: { readonly id: string }) => {
  const words = templateWords()
  const usage = useRead(["template", id, "usage"], (api, options) => api.templates.usage(id, options))
  if (usage.error !== null) return <Problem error={usage.error} onRetry={() => void usage.refetch()} />
  if (usage.data === undefined) return <Bar height={80} />
  const { campaigns, workflowSteps } = usage.data
  if (campaigns.length === 0 && workflowSteps.length === 0) return <Empty about={words.unused} />
  return (
    <Facts
      facts={[
        campaigns.length > 0 && [
          words.campaigns,
          <ul key="campaigns" className={styles.list}>
            {campaigns.map(({ id, name }) => (
              <li key={id}>
                <Foreign>{name}</Foreign>
              </li>
            ))}
          </ul>
        ],
        workflowSteps.length > 0 && [
          words.steps,
          <ul key="steps" className={styles.list}>
            {workflowSteps.map(({ stepId, workflowName, stepName }) => (
              <li key={stepId}>
                <Foreign>{workflowName}</Foreign>: <Foreign>{stepName}</Foreign>
              </li>
            ))}
          </ul>
        ]
      ]}
    />
  )
}

export const Results = ({ id }: { readonly id: string }): ReactNode => {
  const words = templateWords()
  return (
    <Stack>
      <Card title={words.totals}>
        <Totals id={id} />
      </Card>
      <Card title={words.links}>
        <Links id={id} />
      </Card>
      <Card title={words.use}>
        <Use id={id} />
      </Card>
    </Stack>
  )
}
