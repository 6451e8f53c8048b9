/** The chain of consent of a contact: what it agreed to or withdrew, how, when, and what proves it. */
import type { Consent, Contact } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { ExportButton } from "../../app/ExportButton.tsx"
import { useList } from "../../app/Lists.ts"
import { pathOf } from "../../app/links.ts"
import { useProjectId } from "../../app/Project.tsx"
import { Button, CopyText } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Panel } from "../../kit/Dialog.tsx"
import kit from "../../kit/kit.module.css"
import { Card, Empty, Facts, Problem, Stack } from "../../kit/Layout.tsx"
import { type Shape, State, type Tone } from "../../kit/Marks.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { consentWords } from "./consentWords.ts"
import styles from "./contacts.module.css"
import { contactRoute } from "./routes.ts"
import { contactWords } from "./words.ts"

const looks: { readonly [A in Consent["action"]]: readonly [Shape, Tone] } = {
  requested: ["square", "neutral"],
  granted: ["dot", "good"],
  withdrawn: ["bar", "neutral"],
  declined: ["triangle", "bad"],
  expired: ["bar", "neutral"],
  merged: ["ring", "neutral"]
}

const Action = ({ action }: Pick<Consent, "action">) => (
  <State shape={looks[action][0]} tone={looks[action][1]}>
    {consentWords().actions[action]}
  </State>
)

const Scope = ({ topic }: Pick<Consent, "topic">) =>
  topic === null ? consentWords().marketing : <Foreign>{topic.name}</Foreign>

/** A record that is kept in another place of the console. */
const Elsewhere = ({ place, id }: { readonly place: "campaigns" | "forms" | "mails"; readonly id: string }) => {
  const projectId = useProjectId()
  return <Link to={pathOf(projectId, place, id) as "/"}>{consentWords().open}</Link>
}

/** A text of several lines. */
const Long = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <section aria-label={title}>
    <h3 className={kit.label}>{title}</h3>
    <p className={styles.wording}>
      <Foreign>{text}</Foreign>
    </p>
  </section>
)

const RecordPanel = ({ record, onClose }: { readonly record: Consent; readonly onClose: () => void }) => {
  const words = consentWords()
  const { wording, actor, emailId, campaignId, formId, optInId, jobId } = record
  return (
    <Panel title={words.actions[record.action]} onClose={onClose}>
      <Stack>
        <Facts
          facts={[
            [words.scope, <Scope key="scope" topic={record.topic} />],
            [words.source, words.sources[record.source]],
            [words.who, words.actors[actor.type]],
            actor.userId !== undefined && [words.user, <CopyText key="user" text={actor.userId} name={words.user} />],
            [words.when, <Time key="at" at={record.at} exact />],
            [words.recorded, <Time key="recorded" at={record.recordedAt} exact />],
            record.email !== null && [words.address, <Foreign key="email">{record.email}</Foreign>],
            record.basis !== null && [words.basis, <Foreign key="basis">{record.basis}</Foreign>],
            [words.ip, record.ip],
            record.userAgent !== null && [words.userAgent, <Foreign key="agent">{record.userAgent}</Foreign>],
            emailId !== null && [words.mail, <Elsewhere key="mail" place="mails" id={emailId} />],
            campaignId !== null && [words.campaign, <Elsewhere key="campaign" place="campaigns" id={campaignId} />],
            formId !== null && [words.form, <Elsewhere key="form" place="forms" id={formId} />],
            optInId !== null && [words.optIn, <CopyText key="optIn" text={optInId} name={words.optIn} />],
            jobId !== null && [words.job, <CopyText key="job" text={jobId} name={words.job} />],
            [words.language, wording?.language],
            wording?.formVersion !== undefined && [words.formVersion, String(wording.formVersion)],
            [words.id, <CopyText key="id" text={record.id} name={words.id} />]
          ]}
        />
        {wording !== null && <Long title={words.wording} text={wording.text} />}
        {record.evidence !== null && <Long title={words.evidence} text={JSON.stringify(record.evidence, null, 2)} />}
      </Stack>
    </Panel>
  )
}

export const ConsentRecords = ({ contact }: { readonly contact: Contact }): ReactNode => {
  const words = consentWords()
  const { id: contactId } = contact
  const projectId = useProjectId()
  const navigate = useNavigate()
  const { record: opened } = contactRoute.useSearch()
  const list = useList(
    ["consents", contactId],
    (api, position, options) => api.contacts.consents(contactId, { limit: 50, ...position }, options),
    { every: 15_000 }
  )
  const show = (record?: string) =>
    void navigate({
      to: "/p/$projectId/contacts/$contactId",
      params: { projectId, contactId },
      search: { tab: "consent", ...(record !== undefined && { record }) },
      replace: true,
      resetScroll: false
    })
  const found = list.rows.find(({ id }) => id === opened)
  return (
    <Card title={words.title}>
      <Stack>
        <p className={styles.quiet}>{words.about}</p>
        <ExportButton
          operation="consents.export"
          file={`consents ${contact.email}.csv`}
          rows={(api) => api.consents.export({ contactId, format: "csv" })}
          words={{ export: words.export, exporting: contactWords().exporting }}
          beside={<ShowCode call={{ operation: "contacts.consents", path: [contactId] }} />}
        />
        {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
        {list.isLoading ? (
          <TableSkeleton rows={3} />
        ) : list.rows.length === 0 ? (
          list.error === null && <Empty about={words.empty} />
        ) : (
          <DataTable<Consent>
            label={words.title}
            rows={list.rows}
            total={list.total}
            hasMore={list.hasMore}
            isLoadingMore={list.isLoadingMore}
            onMore={list.more}
            rowName={({ action }) => words.actions[action]}
            columns={[
              {
                id: "what",
                name: words.what,
                cell: ({ id, action }) => (
                  <Button kind="quiet" onPress={() => show(id)}>
                    <Action action={action} />
                  </Button>
                )
              },
              { id: "scope", name: words.scope, cell: ({ topic }) => <Scope topic={topic} /> },
              { id: "source", name: words.source, cell: ({ source }) => words.sources[source] },
              { id: "who", name: words.who, isFit: true, cell: ({ actor }) => words.actors[actor.type] },
              { id: "when", name: words.when, isFit: true, cell: ({ at }) => <Time at={at} /> }
            ]}
          />
        )}
      </Stack>
      {found !== undefined && <RecordPanel record={found} onClose={() => show()} />}
    </Card>
  )
}
