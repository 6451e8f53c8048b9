import type { Contact } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget, useRead, useWrite } from "../../app/Queries.ts"
import { Button, CopyText } from "../../kit/Button.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { Bar, Card, Facts, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { TabLinks } from "../../kit/Navigation.tsx"
import { holdBack, notify } from "../../kit/notices.ts"
import { saveFile } from "../../kit/SecretOnce.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { ContactData } from "./ContactData.tsx"
import { ContactEvents, ContactExecutions, ContactSegments } from "./ContactHistory.tsx"
import { useHeld } from "./Held.ts"
import { contactRoute } from "./routes.ts"
import { SendingFacts } from "./SendingFacts.tsx"
import { Subscription } from "./Subscription.tsx"
import { contactWords } from "./words.ts"

const ConsentRecords = lazy(async () => ({ default: (await import("./ConsentRecords.tsx")).ConsentRecords }))
const MergeDialog = lazy(async () => ({ default: (await import("./MergeDialog.tsx")).MergeDialog }))
const MergedInto = lazy(async () => ({ default: (await import("./MergedInto.tsx")).MergedInto }))
const Preferences = lazy(async () => ({ default: (await import("./Preferences.tsx")).Preferences }))

const useDelete = ({ id, email }: Contact) => {
  const words = contactWords()
  const api = useApi()
  const forget = useForget()
  const { hold, release } = useHeld()
  const navigate = useNavigate()
  const projectId = useProjectId()
  return () => {
    hold(id)
    holdBack(
      words.deleted(email),
      () =>
        void api.contacts.delete(id).then(async ({ error }) => {
          if (error !== null) notify(error.message)
          await forget("contacts")
          release(id)
        }),
      () => release(id)
    )
    void navigate({ to: "/p/$projectId/contacts", params: { projectId } })
  }
}

const Privacy = ({ contact }: { readonly contact: Contact }) => {
  const words = contactWords()
  const { id, email } = contact
  const projectId = useProjectId()
  const navigate = useNavigate()
  const forget = useForget()
  const [isErasing, setErasing] = useState(false)
  const mayNotSuppress = useMissing("suppressions.add")
  const mayExport = useMissing("contacts.exportOne")
  const mayErase = useMissing("contacts.erase")
  const suppress = useWrite((api) => api.suppressions.add({ emails: [email] }), {
    changes: ["suppressions"],
    onDone: () => notify(words.suppressed(email))
  })
  const takeOut = useWrite((api) => api.contacts.exportOne(id), {
    onDone: (held) => saveFile(`${email}.json`, JSON.stringify(held, null, 2), "application/json")
  })
  const erase = useWrite((api) => api.contacts.erase(id), {
    onDone: () => {
      notify(words.erased)
      // The record is gone: it is left before lists are read again.
      void navigate({ to: "/p/$projectId/contacts", params: { projectId } }).then(() =>
        forget("contacts", "events", "emails")
      )
    }
  })
  const error = suppress.error ?? takeOut.error ?? erase.error
  return (
    <Card title={words.privacy}>
      <p>{words.privacyAbout}</p>
      {error !== null && <Problem error={error} />}
      <Row>
        <Button missing={mayNotSuppress} isPending={suppress.isPending} onPress={() => suppress.mutate()}>
          {words.suppress}
        </Button>
        <Button missing={mayExport} isPending={takeOut.isPending} onPress={() => takeOut.mutate()}>
          {words.exportOne}
        </Button>
        <Button missing={mayErase} isPending={erase.isPending} onPress={() => setErasing(true)}>
          {words.erase}
        </Button>
      </Row>
      <ConfirmDialog
        title={words.erase}
        action={words.erase}
        typed={email}
        isDanger
        isOpen={isErasing}
        onOpenChange={setErasing}
        onConfirm={() => erase.mutate()}
      >
        <p>
          <Foreign>{words.eraseAbout(email)}</Foreign>
        </p>
      </ConfirmDialog>
    </Card>
  )
}

const History = ({ contact }: { readonly contact: Contact }) => {
  const words = contactWords()
  const contactId = contact.id
  const params = { projectId: useProjectId(), contactId }
  const { tab = "events" } = contactRoute.useSearch()
  return (
    <Stack>
      <TabLinks
        label={words.more}
        current={tab}
        tabs={[
          ...(["events", "preferences", "consent", "segments", "executions"] as const).map((id) => ({
            id,
            name: words[id],
            link: {
              to: "/p/$projectId/contacts/$contactId" as const,
              params,
              search: id === "events" ? {} : { tab: id }
            }
          })),
          {
            id: "mails",
            name: words.mails,
            link: { to: "/p/$projectId/mails", params: { projectId: params.projectId }, search: { contact: contactId } }
          }
        ]}
      />
      {tab === "preferences" ? (
        <Suspense fallback={<Bar height={320} />}>
          <Preferences contact={contact} />
        </Suspense>
      ) : tab === "consent" ? (
        <Suspense fallback={<Bar height={320} />}>
          <ConsentRecords contact={contact} />
        </Suspense>
      ) : tab === "segments" ? (
        <ContactSegments contactId={contactId} />
      ) : tab === "executions" ? (
        <ContactExecutions contactId={contactId} />
      ) : (
        <ContactEvents contactId={contactId} />
      )}
    </Stack>
  )
}

const Loaded = ({ contact }: { readonly contact: Contact }) => {
  const words = contactWords()
  const projectId = useProjectId()
  const remove = useDelete(contact)
  const mayNotChange = useMissing("contacts.update")
  const mayNotDelete = useMissing("contacts.delete")
  const mayNotMerge = useMissing("contacts.merge")
  const [isMerging, setMerging] = useState(false)
  const subscribe = useWrite((api, subscribed: boolean) => api.contacts.update(contact.id, { subscribed }), {
    changes: ["contacts", "events"]
  })
  return (
    <Page
      title={contact.email}
      heading={<Foreign>{contact.email}</Foreign>}
      back={{ name: words.title, link: { to: "/p/$projectId/contacts", params: { projectId } } }}
      actions={
        <>
          <Button
            missing={mayNotChange}
            isPending={subscribe.isPending}
            onPress={() => subscribe.mutate(!contact.subscribed)}
          >
            {contact.subscribed ? words.unsubscribe : words.subscribe}
          </Button>
          <Button missing={mayNotMerge} onPress={() => setMerging(true)}>
            {words.merge}
          </Button>
          <Button missing={mayNotDelete} onPress={remove}>
            {words.delete}
          </Button>
        </>
      }
    >
      {subscribe.error !== null && <Problem error={subscribe.error} />}
      <Card title={words.facts}>
        <Facts
          facts={[
            [words.state, <Subscription key="state" subscription={contact.subscription} />],
            contact.snoozedUntil !== null && [words.paused, <Time key="paused" at={contact.snoozedUntil} exact />],
            contact.externalId !== null && [
              words.externalId,
              <CopyText key="external" text={contact.externalId} name={words.externalId} />
            ],
            contact.locale !== null && [words.locale, <Foreign key="locale">{contact.locale}</Foreign>],
            contact.timezone !== null && [words.timezone, <Foreign key="zone">{contact.timezone}</Foreign>],
            [words.created, <Time key="created" at={contact.createdAt} exact />],
            [words.updated, <Time key="updated" at={contact.updatedAt} exact />],
            [words.id, <CopyText key="id" text={contact.id} name={words.id} />]
          ]}
        />
      </Card>
      <SendingFacts contactId={contact.id} />
      <ContactData contact={contact} />
      <History contact={contact} />
      <Privacy contact={contact} />
      <Suspense>{isMerging && <MergeDialog contact={contact} onClose={() => setMerging(false)} />}</Suspense>
    </Page>
  )
}

export const ContactPage = (): ReactNode => {
  const words = contactWords()
  const projectId = useProjectId()
  const { contactId } = contactRoute.useParams()
  const contact = useRead(["contacts", contactId], (api, options) => api.contacts.get(contactId, options))
  const mergedInto = contact.error?.details["mergedInto"]
  if (contact.data !== undefined) return <Loaded key={contactId} contact={contact.data} />
  return (
    <Page
      title={words.title}
      back={{ name: words.title, link: { to: "/p/$projectId/contacts", params: { projectId } } }}
    >
      {contact.error === null ? (
        <Bar height={240} />
      ) : (
        <Problem error={contact.error} onRetry={() => void contact.refetch()}>
          {typeof mergedInto === "string" && (
            <Suspense>
              <MergedInto contactId={mergedInto} />
            </Suspense>
          )}
        </Problem>
      )}
    </Page>
  )
}
