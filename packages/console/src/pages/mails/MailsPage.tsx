import type { Email, LiveActivity } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget, useRead } from "../../app/Queries.ts"
import { RangeFilter, useRangeQuery } from "../../app/RangeFilter.tsx"
import { Views } from "../../app/Views.tsx"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { type Column, DataTable, NewRows, SelectionBar, TableSkeleton } from "../../kit/DataTable.tsx"
import { EmailState, type EmailStatus, emailStatuses, isOnItsWay } from "../../kit/EmailState.tsx"
import { emailStateWords } from "../../kit/emailStateWords.ts"
import { Select } from "../../kit/Field.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { Chips, SearchBox, TabLinks } from "../../kit/Navigation.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { mailsRoute } from "./routes.ts"
import { SendTest } from "./SendTest.tsx"
import { mailWords } from "./words.ts"

/** The first entry of a mail, whichever came of it. */
const firsts: ReadonlySet<string> = new Set(["email.sent", "email.failed", "email.suppressed"])

const newMails = ({ entries }: LiveActivity) => entries.filter(({ type }) => firsts.has(type)).length

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The contact with the address, whose mails are shown. An id is the mail itself. */
const useFound = (q: string | undefined) => {
  const isId = q !== undefined && uuid.test(q)
  const isAddress = q !== undefined && !isId
  const contacts = useRead(
    ["contacts", "search", q],
    (api, options) => api.contacts.list({ search: q ?? "", limit: 5 }, options).page(),
    {
      enabled: isAddress,
      keep: true
    }
  )
  const mail = useRead(["emails", q], (api, options) => api.emails.get(q ?? "", options), { enabled: isId })
  return {
    contact: isAddress ? (contacts.data?.data[0]?.id ?? null) : undefined,
    mail: isId ? (mail.data ?? null) : undefined,
    isPending: (isAddress && contacts.isPending) || (isId && mail.isPending)
  }
}

export const useColumns = (projectId: string): ReadonlyArray<Column<Email>> => {
  const words = mailWords()
  return [
    {
      id: "to",
      name: words.recipient,
      cell: ({ id, to }) => (
        <Link to="/p/$projectId/mails/$mailId" params={{ projectId, mailId: id }}>
          <Foreign>{to}</Foreign>
        </Link>
      )
    },
    { id: "state", name: words.state, isFit: true, cell: ({ status }) => <EmailState status={status} /> },
    { id: "subject", name: words.subject, cell: ({ subject }) => <Foreign>{subject ?? words.purged}</Foreign> },
    { id: "source", name: words.source, isFit: true, cell: ({ sourceType }) => words.sources[sourceType] },
    { id: "time", name: words.time, isFit: true, cell: ({ createdAt }) => <Time at={createdAt} /> }
  ]
}

/** Retries or cancels the selected mails one by one, and says how many were refused and why. */
const useMany = (done: () => void) => {
  const words = mailWords()
  const api = useApi()
  const forget = useForget()
  return async (ids: ReadonlySet<string>, action: "retry" | "cancel") => {
    const answers = await Promise.all([...ids].map((id) => api.emails[action](id)))
    const refused = answers.flatMap(({ error }) => (error === null ? [] : [error]))
    const changed = answers.length - refused.length
    if (changed > 0) notify(action === "retry" ? words.retried(changed) : words.cancelled(changed))
    if (refused[0] !== undefined) notify(words.refused(refused.length, refused[0].message))
    done()
    await forget("emails")
  }
}

export const MailsPage = (): ReactNode => {
  const words = mailWords()
  const { names } = emailStateWords()
  const projectId = useProjectId()
  const search = mailsRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/mails" })
  const [isTesting, setTesting] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const many = useMany(() => setSelected(new Set()))
  const missing = useMissing("emails.send")
  const found = useFound(search.q)
  const range = useRangeQuery(search.days)
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: (last) => ({ ...last, ...changed }), replace: true })
  const clear = () => void navigate({ search: {}, replace: true })

  const query = {
    ...range,
    ...(search.state && { status: search.state.join(",") }),
    ...(search.source && { sourceType: search.source }),
    ...(search.mode && { mode: search.mode }),
    ...(search.tag && { tag: search.tag }),
    ...(search.campaign && { campaignId: search.campaign }),
    ...(search.workflow && { workflowId: search.workflow }),
    ...(search.template && { templateId: search.template }),
    ...(search.group && { groupId: search.group }),
    ...((found.contact ?? search.contact) && { contactId: found.contact ?? search.contact ?? "" })
  }
  const mails = useList(
    ["emails", query],
    (api, position, options) => api.emails.list({ ...query, limit: 50, ...position }, options),
    {
      enabled: found.contact !== null && found.mail === undefined && !found.isPending,
      every: 15_000,
      always: (rows) => (rows.some(isOnItsWay) ? 5_000 : false),
      newIn: (change) => (change.event === "activity" ? newMails(change.data) : 0)
    }
  )
  const columns = useColumns(projectId)
  const isFiltered = Object.keys(search).length > 0
  const rows =
    found.mail === undefined ? (found.contact === null ? [] : mails.rows) : found.mail === null ? [] : [found.mail]
  const isLoading = found.isPending || (found.mail === undefined && found.contact !== null && mails.isLoading)
  const isEmpty = !isLoading && !isFiltered && mails.error === null && rows.length === 0
  const test = (
    <Button kind="primary" missing={missing} onPress={() => setTesting(true)}>
      {words.sendTest}
    </Button>
  )
  const chip = (id: keyof typeof search, name: string, text: string | undefined) =>
    text === undefined ? [] : [{ id, name, text: `${name}: ${text}`, onRemove: () => change({ [id]: undefined }) }]

  return (
    <Page
      title={words.title}
      views={<Views page="mails" />}
      actions={
        <>
          {!isEmpty && test}
          <ShowCode call={{ operation: "emails.list", query }} />
        </>
      }
    >
      <TabLinks
        label={words.title}
        current="all"
        tabs={[
          { id: "all", name: words.title, link: { to: "/p/$projectId/mails", params: { projectId } } },
          {
            id: "scheduled",
            name: words.scheduled,
            link: { to: "/p/$projectId/mails/scheduled", params: { projectId } }
          }
        ]}
      />
      <Row>
        <SearchBox label={words.search} value={search.q ?? ""} onChange={(q) => change({ q: q || undefined })} />
        <Select
          label={words.state}
          isLabelHidden
          value={search.state?.length === 1 ? (search.state[0] ?? null) : null}
          placeholder={words.anyState}
          choices={[{ id: "", name: words.anyState }, ...emailStatuses.map((id) => ({ id, name: names[id] }))]}
          onChange={(id: EmailStatus | "") => change({ state: id === "" ? undefined : [id] })}
        />
        <Select
          label={words.source}
          isLabelHidden
          value={search.source ?? null}
          placeholder={words.anySource}
          choices={[
            { id: "", name: words.anySource },
            ...(["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW"] as const).map((id) => ({ id, name: words.sources[id] }))
          ]}
          onChange={(id: NonNullable<typeof search.source> | "") => change({ source: id === "" ? undefined : id })}
        />
        <Select
          label={words.mode}
          isLabelHidden
          value={search.mode ?? "LIVE"}
          choices={(["LIVE", "TEST", "ALL"] as const).map((id) => ({ id, name: words.modes[id] }))}
          onChange={(id) => change({ mode: id === "LIVE" ? undefined : id })}
        />
        <RangeFilter days={search.days} onChange={(days) => change({ days })} />
      </Row>
      <Chips
        onClear={clear}
        chips={[
          ...chip("state", words.state, search.state?.map((each) => names[each]).join(", ")),
          ...chip("source", words.source, search.source && words.sources[search.source]),
          ...chip("tag", words.tag, search.tag),
          ...chip("campaign", words.campaign, search.campaign),
          ...chip("workflow", words.workflow, search.workflow),
          ...chip("template", words.template, search.template),
          ...chip("contact", words.contact, search.contact),
          ...chip("group", words.group, search.group)
        ]}
      />
      <NewRows count={mails.news} onShow={mails.showNews} />
      <SelectionBar count={selected.size} onClear={() => setSelected(new Set())}>
        <Button onPress={() => void many(selected, "retry")}>{words.retry}</Button>
        <Button onPress={() => void many(selected, "cancel")}>{words.cancel}</Button>
      </SelectionBar>
      {mails.error !== null ? (
        <Problem error={mails.error} onRetry={mails.retry} />
      ) : isLoading ? (
        <TableSkeleton />
      ) : rows.length === 0 ? (
        isFiltered ? (
          <NothingFits onClear={clear} />
        ) : (
          <Empty about={words.empty} action={test} />
        )
      ) : (
        <DataTable
          label={words.title}
          columns={columns}
          rows={rows}
          total={found.mail === undefined ? mails.total : rows.length}
          href={({ id }) => hrefOf(pathOf(projectId, "mails", id))}
          rowName={({ to, subject }) => `${to} ${subject ?? ""}`}
          selected={selected}
          onSelect={setSelected}
          hasMore={mails.hasMore && found.mail === undefined}
          isLoadingMore={mails.isLoadingMore}
          onMore={mails.more}
        />
      )}
      <SendTest isOpen={isTesting} onOpenChange={setTesting} />
    </Page>
  )
}
