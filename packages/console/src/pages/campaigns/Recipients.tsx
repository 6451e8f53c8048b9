/** The recipients of a campaign, by the state of their mail, with the reason where there is one. */
import type { CampaignDetail } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { useProjectId } from "../../app/Project.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { EmailState, type EmailStatus, emailStatuses } from "../../kit/EmailState.tsx"
import { emailStateWords } from "../../kit/emailStateWords.ts"
import { Select } from "../../kit/Field.tsx"
import { Card, NothingFits, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { SearchBox } from "../../kit/Navigation.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import styles from "./campaigns.module.css"
import { campaignRoute } from "./routes.ts"
import { campaignWords } from "./words.ts"

export const Recipients = ({ campaign }: { readonly campaign: CampaignDetail }): ReactNode => {
  const words = campaignWords()
  const { names } = emailStateWords()
  const projectId = useProjectId()
  const { q, state } = campaignRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/campaigns/$campaignId" })
  const { id } = campaign
  const query = { ...(q && { search: q }), ...(state && { status: state }) }
  const list = useList(
    ["campaigns", id, "recipients", query],
    (api, position, options) => api.campaigns.recipients(id, { ...query, limit: 50, ...position }, options),
    { every: campaign.status === "SENDING" ? 5_000 : 30_000 }
  )
  const rows = list.rows.map((recipient) => ({ ...recipient, id: recipient.emailId }))
  const change = (changed: { readonly q?: string | undefined; readonly state?: EmailStatus | undefined }) =>
    void navigate({ search: (last) => ({ ...last, ...changed }), replace: true, resetScroll: false })
  return (
    <Card title={words.recipients}>
      <Stack>
        <div className={styles.screen}>
          <Row>
            <SearchBox
              label={words.searchRecipients}
              value={q ?? ""}
              onChange={(text) => change({ q: text || undefined })}
            />
            <Select
              label={words.state}
              isLabelHidden
              value={state ?? ""}
              choices={[
                { id: "" as const, name: words.anyState },
                ...emailStatuses.map((status) => ({ id: status, name: names[status] }))
              ]}
              onChange={(status) => change({ state: status === "" ? undefined : status })}
            />
          </Row>
        </div>
        {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
        {list.isLoading ? (
          <TableSkeleton rows={4} />
        ) : rows.length === 0 ? (
          q !== undefined || state !== undefined ? (
            <NothingFits onClear={() => change({ q: undefined, state: undefined })} />
          ) : (
            <p className={styles.quiet}>{words.noRecipients}</p>
          )
        ) : (
          <DataTable
            label={words.recipients}
            rows={rows}
            total={list.total}
            href={({ emailId }) => hrefOf(pathOf(projectId, "mails", emailId))}
            rowName={({ email }) => email ?? words.deletedContact}
            hasMore={list.hasMore}
            isLoadingMore={list.isLoadingMore}
            onMore={list.more}
            columns={[
              {
                id: "email",
                name: words.address,
                cell: ({ email, emailId }) => (
                  <Link to="/p/$projectId/mails/$mailId" params={{ projectId, mailId: emailId }}>
                    <Foreign>{email ?? words.deletedContact}</Foreign>
                  </Link>
                )
              },
              { id: "state", name: words.state, isFit: true, cell: ({ status }) => <EmailState status={status} /> },
              {
                id: "reason",
                name: words.reason,
                cell: ({ reason, error }) => (
                  <Foreign>{reason === null ? (error?.message ?? "") : words.leftOutReasons[reason]}</Foreign>
                )
              },
              { id: "sent", name: words.sent, isFit: true, cell: ({ sentAt }) => <Time at={sentAt} /> }
            ]}
          />
        )}
      </Stack>
    </Card>
  )
}
