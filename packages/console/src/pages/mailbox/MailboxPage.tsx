import type { PosthornError } from "@posthorn/client/session"
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { apiUrl } from "../../app/Api.ts"
import { now } from "../../app/Clock.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useProjectId } from "../../app/Project.tsx"
import { useZone } from "../../app/Zone.ts"
import { Button } from "../../kit/Button.tsx"
import { buttonClass } from "../../kit/buttonClass.ts"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { Bar, Card, Empty, Facts, NothingFits, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { SearchBox } from "../../kit/Navigation.tsx"
import { notify } from "../../kit/notices.ts"
import { PreviewFrame } from "../../kit/PreviewFrame.tsx"
import { Foreign, Time, timeText } from "../../kit/Text.tsx"
import { mailboxRoute } from "../mails/routes.ts"
import { advanceClock, type CaughtMail, caughtMail, caughtMails, emptyMailbox } from "./Mailbox.ts"
import styles from "./mailbox.module.css"
import { mailboxWords } from "./words.ts"

const SendTest = lazy(async () => ({ default: (await import("../mails/SendTest.tsx")).SendTest }))

interface Caught {
  readonly data: ReadonlyArray<CaughtMail>
  readonly total: number
}

const Clock = () => {
  const words = mailboxWords()
  const zone = useZone()
  const client = useQueryClient()
  const move = useMutation<string, PosthornError, string>({
    mutationFn: advanceClock,
    onSuccess: async (at) => {
      notify(words.moved(timeText(at, zone)))
      await client.invalidateQueries()
    }
  })
  return (
    <Row>
      <span className={styles.quiet}>
        {words.clock}:{" "}
        <time dateTime={new Date(now()).toISOString()}>{timeText(new Date(now()).toISOString(), zone)}</time>
      </span>
      {(["1 hour", "1 day", "3 days"] as const).map((step) => (
        <Button key={step} isPending={move.isPending} onPress={() => move.mutate(step)}>
          {words.advance[step]}
        </Button>
      ))}
      {move.error !== null && <Problem error={move.error} />}
    </Row>
  )
}

/** Addresses whose names say what becomes of a mail. Each opens a test mail to it. */
const Outcomes = () => {
  const words = mailboxWords()
  const [to, setTo] = useState<string>()
  return (
    <Row>
      <span className={styles.quiet}>{words.outcomes}</span>
      {(["bounced", "complained", "deferred", "slow"] as const).map((name) => (
        <Button key={name} onPress={() => setTo(`${name}@example.test`)}>
          {name}@example.test
        </Button>
      ))}
      {to !== undefined && (
        <Suspense>
          <SendTest key={to} to={to} isOpen onOpenChange={() => setTo(undefined)} />
        </Suspense>
      )}
    </Row>
  )
}

const Opened = ({ id }: { readonly id: string }) => {
  const words = mailboxWords()
  const projectId = useProjectId()
  const mail = useQuery<CaughtMail, PosthornError>({
    queryKey: ["mailbox", id],
    queryFn: ({ signal }) => caughtMail(id, signal)
  })
  if (mail.error !== null) return <Problem error={mail.error} onRetry={() => void mail.refetch()} />
  if (mail.data === undefined) return <Bar height={320} />
  const { subject, to, from, receivedAt, html, text, emailId } = mail.data
  return (
    <Card title={subject || words.noSubject}>
      <Stack>
        <Facts
          facts={[
            [words.to, <Foreign key="to">{to}</Foreign>],
            [words.from, <Foreign key="from">{from}</Foreign>],
            [words.at, <Time key="at" at={receivedAt} exact />]
          ]}
        />
        <Row>
          {emailId && (
            <Link className={buttonClass()} to="/p/$projectId/mails/$mailId" params={{ projectId, mailId: emailId }}>
              {words.record}
            </Link>
          )}
          <a className={buttonClass()} href={apiUrl(`/dev/mailbox/${id}.eml`)}>
            {words.raw}
          </a>
        </Row>
        {html ? (
          <PreviewFrame title={subject || words.noSubject} html={html} />
        ) : (
          <pre className={styles.text}>{text}</pre>
        )}
      </Stack>
    </Card>
  )
}

export const MailboxPage = (): ReactNode => {
  const words = mailboxWords()
  const projectId = useProjectId()
  const { q = "", id } = mailboxRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/mailbox" })
  const client = useQueryClient()
  const [isEmptying, setEmptying] = useState(false)
  const mails = useInfiniteQuery<Caught, PosthornError, InfiniteData<Caught>, ReadonlyArray<string>, number>({
    queryKey: ["mailbox", "list", q],
    queryFn: ({ pageParam, signal }) => caughtMails(q, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (total > pages.length * 100 ? pages.length + 1 : null),
    refetchInterval: 2_000
  })
  const rows = mails.data?.pages.flatMap(({ data }) => data) ?? []
  const empty = useMutation<void, PosthornError>({
    mutationFn: emptyMailbox,
    onSuccess: async () => {
      notify(words.emptied)
      void navigate({ search: {}, replace: true })
      await client.invalidateQueries({ queryKey: ["mailbox"] })
    }
  })
  const error = mails.error ?? empty.error
  return (
    <Page title={words.title} actions={<Button onPress={() => setEmptying(true)}>{words.empty}</Button>}>
      <Clock />
      <Outcomes />
      <Row>
        <SearchBox
          label={words.search}
          value={q}
          onChange={(text) => void navigate({ search: text === "" ? {} : { q: text }, replace: true })}
        />
      </Row>
      {error !== null && <Problem error={error} onRetry={() => void mails.refetch()} />}
      {mails.data === undefined ? (
        error === null && <TableSkeleton />
      ) : rows.length === 0 ? (
        q === "" ? (
          <Empty about={words.about} />
        ) : (
          <NothingFits onClear={() => void navigate({ search: {}, replace: true })} />
        )
      ) : (
        <div className={styles.columns}>
          <DataTable
            label={words.title}
            rows={rows}
            total={mails.data.pages[0]?.total ?? 0}
            hasMore={mails.hasNextPage}
            isLoadingMore={mails.isFetchingNextPage}
            onMore={() => void mails.fetchNextPage()}
            href={(mail) => hrefOf(pathOf(projectId, "mailbox"), { ...(q !== "" && { q }), id: mail.id })}
            rowName={({ subject, to }) => `${subject ?? ""} ${to}`}
            columns={[
              {
                id: "subject",
                name: words.subject,
                cell: (mail) => (
                  <Link to="/p/$projectId/mailbox" params={{ projectId }} search={(last) => ({ ...last, id: mail.id })}>
                    <Foreign>{mail.subject || words.noSubject}</Foreign>
                  </Link>
                )
              },
              { id: "to", name: words.to, cell: ({ to }) => <Foreign>{to}</Foreign> },
              { id: "at", name: words.at, isFit: true, cell: ({ receivedAt }) => <Time at={receivedAt} /> }
            ]}
          />
          {id !== undefined && <Opened key={id} id={id} />}
        </div>
      )}
      <ConfirmDialog
        title={words.empty}
        action={words.empty}
        isOpen={isEmptying}
        onOpenChange={setEmptying}
        onConfirm={() => empty.mutate()}
        isDanger
      >
        <p>{words.emptyAbout}</p>
      </ConfirmDialog>
    </Page>
  )
}
