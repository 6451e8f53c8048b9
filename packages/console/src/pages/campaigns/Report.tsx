/** The report of a campaign: how far it got, what did not arrive, which links were clicked, and the mailbox providers. */
import type { CampaignDetail, CampaignStats, LinkClicks, ProviderFigures } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { BarList } from "../../kit/BarList.tsx"
import { Button } from "../../kit/Button.tsx"
import type { EmailStatus } from "../../kit/EmailState.tsx"
import { Bar, Card, Problem } from "../../kit/Layout.tsx"
import { providerText } from "../../kit/providers.ts"
import { Foreign, numberText, percentText } from "../../kit/Text.tsx"
import styles from "./campaigns.module.css"
import { Hours } from "./Hours.tsx"
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
    readonly values: ReadonlyArray<ReactNode>
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
              <td key={columns[index + 1]}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** The longest condition that the address of a page holds. */
const longest = 4_000

/** The contacts that clicked a link of the campaign. A link with placeholders leads each contact elsewhere. */
const clickedBy = (campaignId: string, url: string): string | undefined => {
  const where = [
    { path: "campaignId", operator: "equals", value: campaignId },
    { path: "link", operator: "equals", value: url }
  ]
  const filters = [{ field: "email.clicked", operator: "triggered", where }]
  const condition = JSON.stringify({ logic: "AND", groups: [{ filters }] })
  return url.includes("{{") || condition.length > longest ? undefined : condition
}

const WhoClicked = ({ campaignId, link }: { readonly campaignId: string; readonly link: LinkClicks }) => {
  const words = campaignWords()
  const projectId = useProjectId()
  const condition = clickedBy(campaignId, link.url)
  if (condition === undefined || link.uniqueClicks === 0) return numberText(link.uniqueClicks)
  return (
    <Link
      to="/p/$projectId/contacts"
      params={{ projectId }}
      search={{ condition }}
      aria-label={words.whoClicked(numberText(link.uniqueClicks), link.url)}
    >
      {numberText(link.uniqueClicks)}
    </Link>
  )
}

const LinkTable = ({
  campaignId,
  links
}: {
  readonly campaignId: string
  readonly links: ReadonlyArray<LinkClicks>
}) => {
  const words = campaignWords()
  if (links.length === 0) return <p className={styles.quiet}>{words.noLinks}</p>
  return (
    <FigureTable
      columns={[words.link, words.people, words.clicks]}
      rows={links.map((link) => ({
        id: String(link.position),
        name: (
          <>
            {link.text !== "" && (
              <>
                <Foreign>{link.text}</Foreign>{" "}
              </>
            )}
            <span className={styles.quiet}>
              <Foreign>{link.url}</Foreign>
            </span>
          </>
        ),
        values: [
          <WhoClicked key="who" campaignId={campaignId} link={link} />,
          numberText(link.clicks - link.machineClicks)
        ]
      }))}
    />
  )
}

const ProviderTable = ({ providers }: { readonly providers: ReadonlyArray<ProviderFigures> }) => {
  const words = campaignWords()
  if (providers.length === 0) return <p className={styles.quiet}>{words.noProviders}</p>
  return (
    <FigureTable
      columns={[words.provider, words.sent, words.delivered, words.deferred, words.bounced, words.openedByPeople]}
      rows={providers.map(({ provider, sent, delivered, deferred, bounced, humanOpened }) => ({
        id: provider,
        name: providerText(provider),
        values: [sent, delivered, deferred, bounced, humanOpened].map(numberText)
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
  const links = useRead(["campaigns", id, "links"], (api, options) => api.campaigns.links(id, {}, options), { every })
  const providers = useRead(["campaigns", id, "providers"], (api, options) => api.campaigns.providers(id, options), {
    every
  })
  const funnel: ReadonlyArray<Figure> = [
    [words.inAll, stats.totalRecipients, null],
    [words.sent, stats.sentCount, null],
    [words.delivered, stats.deliveredCount, "DELIVERED"],
    [words.opened, stats.openedCount, "OPENED"],
    [words.openedByPeople, stats.humanOpenedCount, null],
    [words.clicked, stats.clickedCount, "CLICKED"],
    [words.clickedByPeople, stats.humanClickedCount, null],
    ...(campaign.goal === null ? [] : [[words.converted, stats.convertedCount, null] as const])
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
      <div className={styles.whole}>
        <Hours id={id} every={every} />
      </div>
      <Card title={words.links}>
        {links.data !== undefined ? (
          <LinkTable campaignId={id} links={links.data.links} />
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
