import type { Topic } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button, CopyText } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { TableSkeleton } from "../../kit/DataTable.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Bar, Card, Facts, Notice, Problem } from "../../kit/Layout.tsx"
import { TabLinks } from "../../kit/Navigation.tsx"
import { notify } from "../../kit/notices.ts"
import { SaveForm } from "../../kit/SaveForm.tsx"
import { Count, Foreign, Time } from "../../kit/Text.tsx"
import { bodyOf, fieldsOf, topicNames } from "./fields.ts"
import { topicRoute } from "./routes.ts"
import { TopicLanguages, TopicTexts } from "./TopicTexts.tsx"
import { topicWords } from "./words.ts"

const TopicContacts = lazy(async () => ({ default: (await import("./TopicContacts.tsx")).TopicContacts }))
const DeleteTopic = lazy(async () => ({ default: (await import("./DeleteTopic.tsx")).DeleteTopic }))

const TopicForm = ({ topic }: { readonly topic: Topic }) => {
  const words = topicWords()
  const missing = useMissing("topics.update")
  const [fields, setFields] = useState(fieldsOf(topic))
  const body = bodyOf(fields)
  const save = useWrite((api) => api.topics.update(topic.id, body), {
    changes: ["topics"],
    onDone: () => notify(words.saved)
  })
  const faults = faultsOf(save.error, [
    ...topicNames,
    ...fields.translations.flatMap(({ language }) => [
      `translations.${language}.name`,
      `translations.${language}.description`
    ])
  ])
  return (
    <SaveForm
      faults={faults}
      missing={missing}
      onSave={() => save.mutate()}
      isPending={save.isPending}
      save={words.save}
      code={<ShowCode call={{ operation: "topics.update", path: [topic.key], body }} />}
    >
      <Card title={words.settings}>
        <div className={kit.stack}>
          <TopicTexts fields={fields} onChange={setFields} />
          <TextField
            label={words.place}
            name="position"
            type="number"
            value={fields.position}
            onChange={(position) => setFields({ ...fields, position })}
          />
        </div>
      </Card>
      <Card title={words.translations}>
        <TopicLanguages fields={fields} onChange={setFields} />
      </Card>
    </SaveForm>
  )
}

interface BehindProps {
  readonly topic: Topic
  readonly count: number
  readonly state?: "subscribed" | "unsubscribed"
}

/** A number that leads to the contacts behind it. */
const Behind = ({ topic, count, state }: BehindProps) => (
  <Link
    to="/p/$projectId/topics/$topicId"
    params={{ projectId: useProjectId(), topicId: topic.id }}
    search={{ tab: "contacts", ...(state !== undefined && { state }) }}
    resetScroll={false}
  >
    <Count value={count} />
  </Link>
)

const About = ({ topic }: { readonly topic: Topic }) => {
  const words = topicWords()
  return (
    <Card title={words.facts}>
      <Facts
        facts={[
          [words.key, <CopyText key="key" text={topic.key} name={words.key} />],
          [words.subscribers, <Behind key="takes" topic={topic} count={topic.subscriberCount} />],
          [words.subscribed, <Behind key="yes" topic={topic} count={topic.subscribedCount} state="subscribed" />],
          [words.unsubscribed, <Behind key="no" topic={topic} count={topic.unsubscribedCount} state="unsubscribed" />],
          [words.default, words.defaults[topic.defaultSubscription]],
          [words.created, <Time key="created" at={topic.createdAt} />],
          [words.changed, <Time key="changed" at={topic.updatedAt} />],
          [words.id, <CopyText key="id" text={topic.id} name={words.id} />]
        ]}
      />
    </Card>
  )
}

const useArchive = (topic: Topic) => {
  const words = topicWords()
  const archive = useWrite((api, archived: boolean) => api.topics.update(topic.id, { archived }), {
    changes: ["topics"],
    onDone: (_, archived) =>
      notify(archived ? words.archivedNow(topic.name) : words.unarchivedNow(topic.name), () =>
        archive.mutate(!archived)
      )
  })
  return archive
}

const Loaded = ({ topic }: { readonly topic: Topic }) => {
  const words = topicWords()
  const projectId = useProjectId()
  const missing = useMissing("topics.update")
  const [isDeleting, setDeleting] = useState(false)
  const archive = useArchive(topic)
  const { tab = "settings" } = topicRoute.useSearch()
  const link = { to: "/p/$projectId/topics/$topicId", params: { projectId, topicId: topic.id } } as const
  return (
    <Page
      title={topic.name}
      heading={<Foreign>{topic.name}</Foreign>}
      back={{ name: words.title, link: { to: "/p/$projectId/topics", params: { projectId } } }}
      actions={
        <>
          <Button missing={missing} isPending={archive.isPending} onPress={() => archive.mutate(!topic.archived)}>
            {topic.archived ? words.unarchive : words.archive}
          </Button>
          <Button missing={missing} onPress={() => setDeleting(true)}>
            {words.delete}
          </Button>
          <ShowCode call={{ operation: "topics.get", path: [topic.key] }} />
        </>
      }
    >
      {archive.error !== null && <Problem error={archive.error} />}
      {topic.archived && <Notice tone="warning">{words.isArchived}</Notice>}
      <About topic={topic} />
      <TabLinks
        label={words.tabs}
        current={tab}
        tabs={[
          { id: "settings", name: words.settings, link },
          { id: "contacts", name: words.contacts, link: { ...link, search: { tab: "contacts" } } }
        ]}
      />
      {tab === "contacts" ? (
        <Suspense fallback={<TableSkeleton />}>
          <TopicContacts topic={topic} />
        </Suspense>
      ) : (
        <TopicForm key={topic.id} topic={topic} />
      )}
      <Suspense>{isDeleting && <DeleteTopic topic={topic} onClose={() => setDeleting(false)} />}</Suspense>
    </Page>
  )
}

export const TopicPage = (): ReactNode => {
  const words = topicWords()
  const projectId = useProjectId()
  const { topicId } = topicRoute.useParams()
  const topic = useRead(["topics", topicId], (api, options) => api.topics.get(topicId, options), { every: 15_000 })
  if (topic.data !== undefined) return <Loaded topic={topic.data} />
  return (
    <Page title={words.title} back={{ name: words.title, link: { to: "/p/$projectId/topics", params: { projectId } } }}>
      {topic.error === null ? (
        <Bar height={480} />
      ) : (
        <Problem error={topic.error} onRetry={() => void topic.refetch()} />
      )}
    </Page>
  )
}
