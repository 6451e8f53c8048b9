/** The report of a campaign: how far it got, what did not arrive, which links were clicked, and the mailbox providers. */
import type { CampaignDetail, CampaignStats, LinkClicks, ProviderFigures } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { BarList } from "../../kit/Chart.tsx"
import type { EmailStatus } from "../../kit/EmailState.tsx"
import { Bar, Card, Problem } from "../../kit/Layout.tsx"
import { Foreign, numberText, percentText } from "../../kit/Text.tsx"
import styles from "./campaigns.module.css"
import { saveReport } from "./reportFile.ts"
import { campaignWords } from "./words.ts"

type Figure = readonly [name: string, value: number, state: EmailStatus | null]

/** Ranked figures, each with the recipients behind it. */
const Figures = (props: {
  readonly title: string
  readonly id: string
  readonly figures: ReadonlyArray<Figure>
  readonly of: number
}) => {
  const projectId = useProjectId()
  return (
    <Card title={props.title}>
      <BarList
        items={props.figures.map(([name, value, state]) => ({
          id: name,
          value,
          name:
            state === null ? (
              name
            ) : (
              <Link
                to="/p/$projectId/campaigns/$campaignId"
                params={{ projectId, campaignId: props.id }}
                search={{ state }}
                resetScroll={false}
              >
                {name}
              </Link>
            ),
          text: `${numberText(value)}${props.of === 0 ? "" : ` (${percentText(value / props.of)})`}`
        }))}
      />
    </Card>
  )
}

const FigureTable = ({
  columns,
  rows
}: {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{
    readonly id: string
    readonly name: ReactNode
    readonly values: ReadonlyArray<number>
  }>
}) => (
  <section className={styles.scroll} tabIndex={0} aria-label={columns.join(", ")}>
    <table className={styles.figures}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, values }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              <td key={columns[index + 1]}>{numberText(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const LinkTable = ({ links }: { readonly links: ReadonlyArray<LinkClicks> }) => {
  const words = campaignWords()
  if (links.length === 0) return <p className={styles.quiet}>{words.noLinks}</p>
  return (
    <FigureTable
      columns={[words.link, words.people, words.clicks]}
      rows={links.map(({ url, text, position, clicks, uniqueClicks, machineClicks }) => ({
        id: String(position),
        name: (
          <>
            {text !== "" && (
              <>
                <Foreign>{text}</Foreign>{" "}
              </>
            )}
            <span className={styles.quiet}>
              <Foreign>{url}</Foreign>
            </span>
          </>
        ),
        values: [uniqueClicks, clicks - machineClicks]
      }))}
    />
  )
}

const ProviderTable = ({ providers }: { readonly providers: ReadonlyArray<ProviderFigures> }) => {
  const words = campaignWords()
  if (providers.length === 0) return <p className={styles.quiet}>{words.noProviders}</p>
  return (
    <FigureTable
      columns={[words.provider, words.sent, words.delivered, words.deferred, words.bounced, words.opened]}
      rows={providers.map(({ provider, sent, delivered, deferred, bounced, opened }) => ({
        id: provider,
        name: provider,
        values: [sent, delivered, deferred, bounced, opened]
      }))}
    />
  )
}

interface ReportProps {
  readonly campaign: CampaignDetail
  readonly stats: CampaignStats
}

export const Report = ({ campaign, stats }: ReportProps): ReactNode => {
  const words = campaignWords()
  const { id } = campaign
  const every = campaign.status === "SENDING" ? 15_000 : 30_000
  const links = useRead(["campaigns", id, "links"], (api, options) => api.campaigns.links(id, options), { every })
  const providers = useRead(["campaigns", id, "providers"], (api, options) => api.campaigns.providers(id, options), {
    every
  })
  const funnel: ReadonlyArray<Figure> = [
    [words.inAll, stats.totalRecipients, null],
    [words.sent, stats.sentCount, null],
    [words.delivered, stats.deliveredCount, "DELIVERED"],
    [words.opened, stats.openedCount, "OPENED"],
    [words.clicked, stats.clickedCount, "CLICKED"]
  ]
  const trouble: ReadonlyArray<Figure> = [
    [words.bounced, stats.bouncedCount, "BOUNCED"],
    [words.failed, stats.failedCount, "FAILED"],
    [words.suppressed, stats.suppressedCount, "SUPPRESSED"],
    [words.ambiguous, stats.ambiguousCount, "AMBIGUOUS"],
    [words.cancelledMails, stats.cancelledCount, "CANCELLED"],
    [words.complained, stats.complainedCount, "COMPLAINED"],
    [words.unsubscribed, stats.unsubscribedCount, null],
    [words.byMachines, stats.machineOpenedCount, null]
  ]
  return (
    <div className={styles.columns}>
      <Figures id={id} title={words.funnel} figures={funnel} of={stats.totalRecipients} />
      <Figures id={id} title={words.trouble} figures={trouble} of={stats.totalRecipients} />
      <Card title={words.links}>
        {links.data !== undefined ? (
          <LinkTable links={links.data.links} />
        ) : links.error === null ? (
          <Bar height={120} />
        ) : (
          <Problem error={links.error} onRetry={() => void links.refetch()} />
        )}
      </Card>
      <Card
        title={words.providers}
        actions={
          <Button
            onPress={() =>
              saveReport(campaign.name, [...funnel, ...trouble], links.data, providers.data?.providers ?? [], words)
            }
          >
            {words.csv}
          </Button>
        }
      >
        {providers.data !== undefined ? (
          <ProviderTable providers={providers.data.providers} />
        ) : providers.error === null ? (
          <Bar height={120} />
        ) : (
          <Problem error={providers.error} onRetry={() => void providers.refetch()} />
        )}
      </Card>
    </div>
  )
}
