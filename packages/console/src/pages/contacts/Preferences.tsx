/** What a contact takes: its topics, and whether it paused mail. */
import type { Contact } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { now } from "../../app/Clock.ts"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { Answer, Card, Empty, Facts, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Time } from "../../kit/Text.tsx"
import { OptIns } from "./OptIns.tsx"
import { preferenceWords } from "./preferenceWords.ts"

const Topics = ({ contact }: { readonly contact: Contact }) => {
  const words = preferenceWords()
  const topics = useRead(["topics", "list", false], (api, options) => api.topics.list({}, options))
  const takes = (state: string | undefined, fallback: string) =>
    contact.subscribed && contact.snoozedUntil === null && (state ?? fallback) === "subscribed"
  return (
    <Card title={words.topics}>
      <Answer of={topics} height={120}>
        {(all) =>
          all.length === 0 ? (
            <Empty about={words.noTopics} />
          ) : (
            <Facts
              facts={all.map(({ key, name, defaultSubscription }) => {
                const state = contact.topics[key]
                const said =
                  state === undefined ? words.unset(words.defaults[defaultSubscription]) : words.states[state]
                return [name, `${said}. ${takes(state, defaultSubscription) ? words.takes : words.takesNot}`]
              })}
            />
          )
        }
      </Answer>
    </Card>
  )
}

const Pause = ({ contact: { id, snoozedUntil } }: { readonly contact: Contact }) => {
  const words = preferenceWords()
  const missing = useMissing("contacts.update")
  const change = useWrite((api, until: string | null) => api.contacts.update(id, { snoozedUntil: until }), {
    changes: ["contacts", "events"],
    onDone: () => notify(words.saved)
  })
  const after = (days: number) => new Date(now() + days * 86_400_000).toISOString()
  return (
    <Card title={words.pause}>
      <Stack>
        {change.error !== null && <Problem error={change.error} />}
        {snoozedUntil === null ? (
          <p>{words.noPause}</p>
        ) : (
          <p>
            {words.pausedUntil} <Time at={snoozedUntil} exact />
          </p>
        )}
        <Row>
          {[30, 60, 90].map((days) => (
            <Button
              key={days}
              missing={missing}
              isPending={change.isPending}
              onPress={() => change.mutate(after(days))}
            >
              {words.pauseFor(days)}
            </Button>
          ))}
          {snoozedUntil !== null && (
            <Button missing={missing} isPending={change.isPending} onPress={() => change.mutate(null)}>
              {words.endPause}
            </Button>
          )}
          <ShowCode
            call={{ operation: "contacts.update", path: [id], body: { snoozedUntil: snoozedUntil ?? after(30) } }}
          />
        </Row>
      </Stack>
    </Card>
  )
}

export const Preferences = ({ contact }: { readonly contact: Contact }): ReactNode => (
  <Stack>
    <Topics contact={contact} />
    <Pause contact={contact} />
    <OptIns contact={contact} />
  </Stack>
)
