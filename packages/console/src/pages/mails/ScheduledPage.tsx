import type { Email } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useProjectId } from "../../app/Project.tsx"
import { useWrite } from "../../app/Queries.ts"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Empty, Problem } from "../../kit/Layout.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { TabLinks } from "../../kit/Navigation.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { MoveMail } from "./MoveMail.tsx"
import { mailWords } from "./words.ts"

export const ScheduledPage = (): ReactNode => {
  const words = mailWords()
  const projectId = useProjectId()
  const [moving, setMoving] = useState<Email>()
  const mails = useList(
    ["emails", "scheduled"],
    (api, position, options) =>
      api.emails.list({ status: "SCHEDULED", sort: "scheduledFor", limit: 50, ...position }, options),
    { every: 15_000 }
  )
  const changes = ["emails"]
  const cancel = useWrite((api, id: string) => api.emails.cancel(id), {
    changes,
    onDone: () => notify(words.cancelled(1))
  })
  const sendNow = useWrite((api, id: string) => api.emails.update(id, { scheduledFor: null }), {
    changes,
    onDone: () => notify(words.sendsNow)
  })
  const error = mails.error ?? cancel.error ?? sendNow.error
  return (
    <Page title={words.scheduled}>
      <TabLinks
        label={words.title}
        current="scheduled"
        tabs={[
          { id: "all", name: words.title, link: { to: "/p/$projectId/mails", params: { projectId } } },
          {
            id: "scheduled",
            name: words.scheduled,
            link: { to: "/p/$projectId/mails/scheduled", params: { projectId } }
          }
        ]}
      />
      {error !== null && <Problem error={error} onRetry={mails.retry} />}
      {mails.isLoading ? (
        <TableSkeleton />
      ) : mails.rows.length === 0 ? (
        mails.error === null && <Empty about={words.scheduledAbout} />
      ) : (
        <DataTable
          label={words.scheduled}
          rows={mails.rows}
          total={mails.total}
          href={({ id }) => hrefOf(pathOf(projectId, "mails", id))}
          rowName={({ to, subject }) => `${to} ${subject ?? ""}`}
          hasMore={mails.hasMore}
          isLoadingMore={mails.isLoadingMore}
          onMore={mails.more}
          columns={[
            {
              id: "to",
              name: words.recipient,
              cell: ({ id, to }) => (
                <Link to="/p/$projectId/mails/$mailId" params={{ projectId, mailId: id }}>
                  <Foreign>{to}</Foreign>
                </Link>
              )
            },
            { id: "due", name: words.due, isFit: true, cell: ({ scheduledFor }) => <Time at={scheduledFor} exact /> },
            { id: "subject", name: words.subject, cell: ({ subject }) => <Foreign>{subject}</Foreign> },
            { id: "source", name: words.source, isFit: true, cell: ({ sourceType }) => words.sources[sourceType] },
            {
              id: "actions",
              name: words.move,
              isNameHidden: true,
              isFit: true,
              cell: (mail) => (
                <Menu
                  actions={[
                    { id: "move", name: words.move, onAction: () => setMoving(mail) },
                    { id: "now", name: words.sendNow, onAction: () => sendNow.mutate(mail.id) },
                    { id: "cancel", name: words.cancel, isLast: true, onAction: () => cancel.mutate(mail.id) }
                  ]}
                />
              )
            }
          ]}
        />
      )}
      {moving !== undefined && (
        <MoveMail mail={moving} isOpen onOpenChange={(isOpen) => !isOpen && setMoving(undefined)} />
      )}
    </Page>
  )
}
