/** What happened to a mail: its timeline, and each try with the reply and the dialogue of the server. */
import type { EmailDetail } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { Card, Empty, Facts, Stack } from "../../kit/Layout.tsx"
import { type Shape, ShapeMark, State, type Tone } from "../../kit/Marks.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import styles from "./mails.module.css"
import { mailWords } from "./words.ts"

type TimelineType = EmailDetail["timeline"][number]["type"]

const shapes: Partial<{ readonly [T in TimelineType]: Shape }> = {
  accepted: "square",
  scheduled: "square",
  rescheduled: "square",
  held: "square",
  retried: "square",
  deferred: "ring",
  ambiguous: "triangle",
  bounced: "triangle",
  complained: "triangle",
  failed: "triangle",
  suppressed: "bar",
  cancelled: "bar"
}

export const Timeline = ({ mail }: { readonly mail: EmailDetail }): ReactNode => {
  const { events, suppressions } = mailWords()
  const known: { readonly [reason: string]: string } = suppressions
  return (
    <ol className={styles.timeline}>
      {mail.timeline.map(({ at, type, detail }, index) => (
        <li key={`${at} ${type} ${index}`} className={styles.event}>
          <ShapeMark shape={shapes[type] ?? "dot"} />
          <strong>{events[type]}</strong>
          <Time at={at} exact />
          {detail !== undefined && <Foreign>{known[detail] ?? detail}</Foreign>}
        </li>
      ))}
    </ol>
  )
}

const looks: { readonly [outcome: string]: readonly [Shape, Tone] } = {
  accepted: ["dot", "good"],
  deferred: ["ring", "warning"],
  rejected: ["triangle", "bad"],
  ambiguous: ["triangle", "warning"],
  error: ["triangle", "warning"]
}

export const Attempts = ({ mail }: { readonly mail: EmailDetail }): ReactNode => {
  const words = mailWords()
  if (mail.attemptLog.length === 0) return <Empty about={words.noAttempts} />
  return (
    <Stack>
      {mail.attemptLog.map((attempt) => {
        const [shape, tone] = looks[attempt.outcome ?? ""] ?? ["ring", "neutral"]
        return (
          <Card key={attempt.number} title={words.attempt(attempt.number)}>
            <Facts
              facts={[
                [
                  words.state,
                  <State key="outcome" shape={shape} tone={tone}>
                    {attempt.outcome === null ? words.running : words.outcome[attempt.outcome]}
                  </State>
                ],
                [words.time, <Time key="at" at={attempt.startedAt} exact />],
                [words.transport, attempt.transport],
                [words.server, attempt.remoteHost],
                ["TLS", attempt.tls],
                attempt.reply !== null && [words.reply, <Foreign key="reply">{attempt.reply}</Foreign>]
              ]}
            />
            {attempt.dialogue === null ? (
              <p className={styles.quiet}>{words.noDialogue}</p>
            ) : (
              <details>
                <summary>{words.dialogue}</summary>
                <pre className={styles.dialogue}>
                  {attempt.dialogue.map(({ at, from, text }, index) => (
                    <div key={`${at} ${index}`}>
                      <span className={styles.quiet}>
                        {String(at).padStart(6)} {from}:{" "}
                      </span>
                      <Foreign>{text}</Foreign>
                    </div>
                  ))}
                </pre>
              </details>
            )}
          </Card>
        )
      })}
    </Stack>
  )
}
