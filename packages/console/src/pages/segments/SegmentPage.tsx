import type { Segment } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { useDisabled } from "../../app/Roles.ts"
import { Button, CopyText } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { TableSkeleton } from "../../kit/DataTable.tsx"
import { Card, Facts, Notice, Problem, Stack } from "../../kit/Layout.tsx"
import { TabLinks } from "../../kit/Navigation.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, numberText, Time } from "../../kit/Text.tsx"
import { Definition } from "./Definition.tsx"
import { useDeleteSegment, useSegmentUsers } from "./Deleting.ts"
import { segmentRoute } from "./routes.ts"
import { segmentWords } from "./words.ts"

const Members = lazy(async () => ({ default: (await import("./Members.tsx")).Members }))

/** What refused the deletion, with links. */
const Users = ({ segmentId }: { readonly segmentId: string }) => {
  const words = segmentWords()
  const projectId = useProjectId()
  const users = useSegmentUsers(segmentId)
  if (users.length === 0) return null
  return (
    <Notice tone="warning">
      <p>{words.usedBy}</p>
      <ul>
        {users.map(({ kind, id, name }) => (
          <li key={id}>
            {words.users[kind]}{" "}
            <Link to={pathOf(projectId, kind, id) as "/"}>
              <Foreign>{name}</Foreign>
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

const About = ({ segment }: { readonly segment: Segment }) => {
  const words = segmentWords()
  const projectId = useProjectId()
  const eventLink = (change: "entry" | "exit") => {
    const eventName = `segment.${segment.slug}.${change}`
    return (
      <Link to="/p/$projectId/events/$eventName" params={{ projectId, eventName }}>
        <Foreign>{eventName}</Foreign>
      </Link>
    )
  }
  return (
    <Card title={words.facts}>
      <Facts
        facts={[
          [words.type, words.types[segment.type]],
          [words.members, numberText(segment.memberCount)],
          segment.trackMembership && [words.joins, eventLink("entry")],
          segment.trackMembership && [words.leaves, eventLink("exit")],
          [words.created, <Time key="created" at={segment.createdAt} />],
          [words.changed, <Time key="changed" at={segment.updatedAt} />],
          [words.id, <CopyText key="id" text={segment.id} name={words.id} />]
        ]}
      />
    </Card>
  )
}

/** Counts the members again, or computes who joined and left. */
const Recount = ({ segment }: { readonly segment: Segment }) => {
  const words = segmentWords()
  const changes = ["segments", "contacts", "events"]
  const compute = useWrite((api) => api.segments.compute(segment.id), {
    changes,
    onDone: ({ added, removed }) => notify(words.computed(added, removed))
  })
  const refresh = useWrite((api) => api.segments.refresh(segment.id), {
    changes,
    onDone: ({ memberCount }) => notify(words.refreshed(memberCount))
  })
  const isTracked = segment.type === "DYNAMIC" && segment.trackMembership
  const { mutate, isPending } = isTracked ? compute : refresh
  return (
    <Button isPending={isPending} onPress={() => mutate(undefined, { onError: ({ message }) => notify(message) })}>
      {isTracked ? words.compute : words.refresh}
    </Button>
  )
}

export const SegmentPage = (): ReactNode => {
  const words = segmentWords()
  const projectId = useProjectId()
  const { segmentId } = segmentRoute.useParams()
  const { tab } = segmentRoute.useSearch()
  const navigate = useNavigate()
  const remove = useDeleteSegment()
  const found = useRead(["segments", segmentId], (api, options) => api.segments.get(segmentId, options), {
    every: 15_000
  })
  const mayNotDelete = useDisabled()
  const segment = found.data
  const list = { to: "/p/$projectId/segments", params: { projectId } } as const
  const here = { to: "/p/$projectId/segments/$segmentId", params: { projectId, segmentId } } as const
  return (
    <Page
      title={segment?.name ?? words.segments}
      heading={segment && <Foreign>{segment.name}</Foreign>}
      back={{ name: words.segments, link: list }}
      actions={
        segment && (
          <>
            <Recount segment={segment} />
            <Button
              missing={mayNotDelete}
              onPress={() => {
                remove(segment)
                void navigate(list)
              }}
            >
              {words.delete}
            </Button>
            <ShowCode call={{ operation: "segments.get", path: [segmentId] }} />
          </>
        )
      }
    >
      {found.error !== null && <Problem error={found.error} onRetry={() => void found.refetch()} />}
      {segment === undefined ? (
        found.error === null && <TableSkeleton />
      ) : (
        <Stack>
          <Users segmentId={segmentId} />
          <TabLinks
            label={words.tabs}
            current={tab ?? "definition"}
            tabs={[
              { id: "definition", name: words.definition, link: { ...here, search: {} } },
              { id: "members", name: words.members, link: { ...here, search: { tab: "members" } } }
            ]}
          />
          {tab === "members" ? (
            <Suspense fallback={<TableSkeleton />}>
              <Members segment={segment} />
            </Suspense>
          ) : (
            <Definition key={segment.id} segment={segment} />
          )}
          <About segment={segment} />
        </Stack>
      )}
    </Page>
  )
}
