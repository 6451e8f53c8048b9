/** What is left to set up, until everything is done or the list is dismissed. */
import type { SetupState } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react"
import { deployment } from "../../app/Deployment.ts"
import { prefer, usePreferences } from "../../app/Preferences.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { Bar, Card } from "../../kit/Layout.tsx"
import { ShapeMark } from "../../kit/Marks.tsx"
import styles from "./overview.module.css"
import { overviewWords } from "./words.ts"

const SendTest = lazy(async () => ({ default: (await import("../mails/SendTest.tsx")).SendTest }))

const stepsOf = (data: SetupState) =>
  [
    ["domain", data.hasVerifiedDomain],
    ["contact", data.contactCount > 0],
    ["send", data.firstEmailSentAt !== null],
    ["event", data.firstEventAt !== null],
    ...(deployment.mode === "server" ? [["invite", data.memberCount > 1] as const] : []),
    ["webhook", data.hasWebhook]
  ] as const

/** Where a step is done. */
const places = {
  domain: "domains",
  contact: "contacts",
  send: "mails",
  event: "events",
  ...(deployment.mode === "server" && { invite: "settings/members" }),
  webhook: "webhooks"
}

export const Checklist = (): ReactNode => {
  const words = overviewWords()
  const projectId = useProjectId()
  const { dismissed } = usePreferences()
  const [isTesting, setTesting] = useState(false)
  const isDismissed = dismissed.includes(projectId)
  // Fixed when the page opens: a list that vanished when its last step is read would move the page below it.
  const [isHidden, setHidden] = useState(isDismissed)
  const setup = useRead(["overview", "setup"], (api, options) => api.projects.setupState(projectId, options), {
    enabled: !isHidden
  })
  const { data } = setup
  const isOver = data !== undefined && stepsOf(data).every(([, isDone]) => isDone)
  useEffect(() => {
    // What is done stays done: the next visit keeps no place for the list.
    if (isOver && !isDismissed) prefer({ dismissed: [...dismissed, projectId] })
  }, [isOver, isDismissed, dismissed, projectId])
  if (isHidden || setup.error !== null) return null
  if (data === undefined) {
    return (
      <Card title={words.checklist} actions={<Bar width={72} height={32} />}>
        <ul className={styles.steps} aria-hidden>
          {Object.keys(places).map((id) => (
            <li key={id} className={styles.step}>
              <Bar width={120} />
            </li>
          ))}
        </ul>
      </Card>
    )
  }
  const steps = stepsOf(data)
  const done = steps.filter(([, isDone]) => isDone).length
  return (
    <Card
      title={`${words.checklist} ${words.done(done, steps.length)}`}
      actions={
        <Button
          kind="quiet"
          onPress={() => {
            setHidden(true)
            if (!isDismissed) prefer({ dismissed: [...dismissed, projectId] })
          }}
        >
          {words.dismiss}
        </Button>
      }
    >
      <ul className={styles.steps}>
        {steps.map(([id, isDone]) => (
          <li key={id} className={styles.step}>
            <ShapeMark shape={isDone ? "dot" : "square"} />
            {id === "send" && !isDone ? (
              <Button kind="quiet" onPress={() => setTesting(true)}>
                {words.steps.send}
              </Button>
            ) : isDone ? (
              <span className={styles.quiet}>{words.steps[id]}</span>
            ) : (
              <Link to={`/p/$projectId/${places[id]}` as "/p/$projectId"} params={{ projectId }}>
                {words.steps[id]}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {isTesting && (
        <Suspense>
          <SendTest isOpen onOpenChange={setTesting} />
        </Suspense>
      )}
    </Card>
  )
}
