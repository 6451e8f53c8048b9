/** Deletes a topic, or says what still uses it. */
import type { Topic, TopicUsage } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { pathOf } from "../../app/links.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { Answer, Problem, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign } from "../../kit/Text.tsx"
import { topicWords } from "./words.ts"

/** Each with the place of its page. */
const usersOf = (usage: TopicUsage) => [
  ...usage.campaigns.map(({ id, name }) => ({ kind: "campaigns" as const, id, name, path: ["campaigns", id] })),
  ...usage.templates.map(({ id, name }) => ({ kind: "templates" as const, id, name, path: ["templates", id] })),
  ...usage.workflowSteps.map(({ id, name, workflowId }) => ({
    kind: "workflowSteps" as const,
    id,
    name,
    path: ["workflows", workflowId]
  })),
  ...usage.forms.map(({ id, name }) => ({ kind: "forms" as const, id, name, path: ["forms", id] })),
  ...usage.segments.map(({ id, name }) => ({ kind: "segments" as const, id, name, path: ["segments", id] }))
]

export const DeleteTopic = ({ topic, onClose }: { readonly topic: Topic; readonly onClose: () => void }): ReactNode => {
  const words = topicWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const usage = useRead(["topics", topic.id, "usage"], (api, options) => api.topics.usage(topic.id, options), {
    staleTime: 0
  })
  const remove = useWrite((api) => api.topics.delete(topic.id), {
    changes: ["topics"],
    onDone: async () => {
      notify(words.deleted(topic.name))
      await navigate({ to: "/p/$projectId/topics", params: { projectId } })
    }
  })
  return (
    <Dialog
      title={`${words.delete} ${topic.name}`}
      role="alertdialog"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Stack>
        <Answer of={usage} height={60}>
          {(found) =>
            found.canDelete ? (
              <p>{words.deleteAbout}</p>
            ) : (
              <>
                <p>{words.usedBy}</p>
                <ul>
                  {usersOf(found).map(({ kind, id, name, path }) => (
                    <li key={`${kind} ${id}`}>
                      {words.users[kind]}{" "}
                      <Link to={pathOf(projectId, ...path) as "/"}>
                        <Foreign>{name}</Foreign>
                      </Link>
                    </li>
                  ))}
                </ul>
              </>
            )
          }
        </Answer>
        {remove.error !== null && <Problem error={remove.error} />}
        <DialogButtons>
          <Button onPress={onClose}>{words.close}</Button>
          {usage.data?.canDelete === true && (
            <Button kind="danger" isPending={remove.isPending} onPress={() => remove.mutate()}>
              {words.delete}
            </Button>
          )}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
