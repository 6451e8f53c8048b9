import type { EmailDetail } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button, CopyText } from "../../kit/Button.tsx"
import { EmailState, isOnItsWay } from "../../kit/EmailState.tsx"
import { emailStateWords } from "../../kit/emailStateWords.ts"
import styles from "../../kit/kit.module.css"
import { Bar, Card, Facts, Notice, Problem, Stack } from "../../kit/Layout.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { TabLinks } from "../../kit/Navigation.tsx"
import { notify } from "../../kit/notices.ts"
import { providerText } from "../../kit/providers.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { Attempts, Timeline } from "./History.tsx"
import { MailContent } from "./MailContent.tsx"
import { MoveMail } from "./MoveMail.tsx"
import { mailRoute } from "./routes.ts"
import { mailWords } from "./words.ts"

const people = (list: EmailDetail["cc"]) =>
  list.map(({ email, name }) => (name === null ? email : `${name} <${email}>`)).join(", ")

const MailFacts = ({ mail }: { readonly mail: EmailDetail }) => {
  const words = mailWords()
  const { meanings } = emailStateWords()
  return (
    <Stack>
      {mail.error !== null && (
        <Notice tone="warning">
          <strong>{meanings[mail.status]}</strong>
          {mail.status !== "SUPPRESSED" && (
            <>
              {" "}
              <Foreign>{mail.error.message}</Foreign>
            </>
          )}
        </Notice>
      )}
      <Facts
        facts={[
          [words.state, <EmailState key="state" status={mail.status} />],
          [
            words.recipient,
            <Foreign key="to">{mail.toName === null ? mail.to : `${mail.toName} <${mail.to}>`}</Foreign>
          ],
          [
            words.sender,
            <Foreign key="from">{mail.fromName === null ? mail.from : `${mail.fromName} <${mail.from}>`}</Foreign>
          ],
          mail.replyTo !== null && [words.replyTo, <Foreign key="reply">{mail.replyTo}</Foreign>],
          mail.cc.length > 0 && [words.cc, <Foreign key="cc">{people(mail.cc)}</Foreign>],
          [words.source, words.sources[mail.sourceType]],
          [words.type, words.types[mail.type]],
          mail.scheduledFor !== null && [words.due, <Time key="due" at={mail.scheduledFor} exact />],
          [words.created, <Time key="created" at={mail.createdAt} exact />],
          mail.hold !== null && [
            words.waitsFor,
            <span key="hold">
              {words.holds[mail.hold.reason]}
              {mail.hold.until !== null && (
                <>
                  {" "}
                  (<Time at={mail.hold.until} exact />)
                </>
              )}
            </span>
          ],
          mail.nextAttemptAt !== null && [words.nextAttempt, <Time key="next" at={mail.nextAttemptAt} exact />],
          mail.opens > 0 && [words.opens, `${mail.opens}${words.machine(mail.machineOpens)}`],
          mail.clicks > 0 && [words.clicks, `${mail.clicks}${words.machine(mail.machineClicks)}`],
          mail.provider !== null && [words.provider, providerText(mail.provider)],
          mail.locale !== null && [words.locale, mail.locale],
          Object.keys(mail.tags).length > 0 && [
            words.tags,
            <Foreign key="tags">
              {Object.entries(mail.tags)
                .map(([name, value]) => `${name}: ${value}`)
                .join(", ")}
            </Foreign>
          ],
          mail.attachments.length > 0 && [
            words.attachments,
            <Foreign key="files">{mail.attachments.map(({ filename }) => filename).join(", ")}</Foreign>
          ],
          [words.id, <CopyText key="id" text={mail.id} name={words.id} />],
          mail.messageId !== null && [
            words.messageId,
            <CopyText key="mid" text={mail.messageId} name={words.messageId} />
          ]
        ]}
      />
    </Stack>
  )
}

const useActions = (mail: EmailDetail) => {
  const words = mailWords()
  const id = mail.id
  const changes = ["emails"]
  const mayNotChange = useMissing("emails.update")
  const mayNotRetry = useMissing("emails.retry")
  const [isMoving, setMoving] = useState(false)
  const retry = useWrite((api) => api.emails.retry(id), { changes, onDone: () => notify(words.retried(1)) })
  const cancel = useWrite((api) => api.emails.cancel(id), { changes, onDone: () => notify(words.cancelled(1)) })
  const sendNow = useWrite((api) => api.emails.update(id, { scheduledFor: null }), {
    changes,
    onDone: () => notify(words.sendsNow)
  })
  const suppress = useWrite((api) => api.suppressions.add({ emails: [mail.to] }), {
    changes: ["suppressions"],
    onDone: () => notify(words.suppressed(mail.to))
  })
  const isWaiting = mail.status === "SCHEDULED" || mail.status === "PENDING"
  const isOver = ["FAILED", "AMBIGUOUS", "BOUNCED", "CANCELLED"].includes(mail.status)
  const error = retry.error ?? cancel.error ?? sendNow.error ?? suppress.error
  return {
    isMoving,
    setMoving,
    error,
    primary:
      mail.status === "SCHEDULED" ? (
        <Button kind="primary" missing={mayNotChange} isPending={sendNow.isPending} onPress={() => sendNow.mutate()}>
          {words.sendNow}
        </Button>
      ) : isOver ? (
        <Button kind="primary" missing={mayNotRetry} isPending={retry.isPending} onPress={() => retry.mutate()}>
          {words.retry}
        </Button>
      ) : null,
    menu: [
      ...(mail.status === "SCHEDULED" ? [{ id: "move", name: words.move, onAction: () => setMoving(true) }] : []),
      ...(isWaiting ? [{ id: "cancel", name: words.cancel, onAction: () => cancel.mutate() }] : []),
      { id: "suppress", name: words.suppress, isLast: true, onAction: () => suppress.mutate() }
    ]
  }
}

const tabs = ["timeline", "preview", "text", "source", "headers", "attempts", "raw"] as const

const Loaded = ({ mail }: { readonly mail: EmailDetail }) => {
  const words = mailWords()
  const projectId = useProjectId()
  const { tab = "timeline" } = mailRoute.useSearch()
  const navigate = useNavigate()
  const { isMoving, setMoving, error, primary, menu } = useActions(mail)
  const names = {
    timeline: words.timeline,
    preview: words.preview,
    text: words.plainText,
    source: words.html,
    headers: words.headers,
    attempts: words.attempts,
    raw: words.raw
  }
  return (
    <Page
      title={mail.subject ?? words.purged}
      heading={<Foreign>{mail.subject || words.noSubject}</Foreign>}
      back={{ name: words.title, link: { to: "/p/$projectId/mails", params: { projectId } } }}
      actions={
        <>
          {primary}
          <Menu actions={menu} />
        </>
      }
    >
      {error !== null && <Problem error={error} />}
      <Card title={words.facts}>
        <MailFacts mail={mail} />
        {mail.groupId !== null && (
          <Button
            kind="quiet"
            onPress={() =>
              void navigate({ to: "/p/$projectId/mails", params: { projectId }, search: { group: mail.groupId ?? "" } })
            }
          >
            {words.openCopies}
          </Button>
        )}
      </Card>
      <div className={styles.stack}>
        <TabLinks
          label={words.facts}
          current={tab}
          tabs={tabs.map((id) => ({
            id,
            name: names[id],
            link: {
              to: "/p/$projectId/mails/$mailId",
              params: { projectId, mailId: mail.id },
              search: id === "timeline" ? {} : { tab: id }
            }
          }))}
        />
        {tab === "timeline" ? (
          <Timeline mail={mail} />
        ) : tab === "attempts" ? (
          <Attempts mail={mail} />
        ) : (
          <MailContent mail={mail} part={tab} />
        )}
      </div>
      <MoveMail mail={mail} isOpen={isMoving} onOpenChange={setMoving} />
    </Page>
  )
}

export const MailPage = (): ReactNode => {
  const words = mailWords()
  const projectId = useProjectId()
  const { mailId } = mailRoute.useParams()
  const mail = useRead(["emails", mailId], (api, options) => api.emails.get(mailId, options), {
    every: 5_000,
    always: (data) => (data !== undefined && isOnItsWay(data) ? 5_000 : false)
  })
  if (mail.data !== undefined) return <Loaded key={mailId} mail={mail.data} />
  return (
    <Page title={words.title} back={{ name: words.title, link: { to: "/p/$projectId/mails", params: { projectId } } }}>
      {mail.error === null ? <Bar height={240} /> : <Problem error={mail.error} onRetry={() => void mail.refetch()} />}
    </Page>
  )
}
