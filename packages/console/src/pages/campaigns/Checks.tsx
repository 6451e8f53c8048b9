/** What stands in the way of sending, and what is worth a look. Only faults stop it. */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { browserZone } from "../../app/Zone.ts"
import { Card } from "../../kit/Layout.tsx"
import { type Shape, State, type Tone } from "../../kit/Marks.tsx"
import { Foreign, numberText, timeText } from "../../kit/Text.tsx"
import styles from "./campaigns.module.css"
import { domainOf } from "./draft.ts"
import type { DraftState } from "./useDraft.ts"
import { useEnd } from "./useEnd.ts"
import type { Reach, Rendered } from "./useRendered.ts"
import { campaignWords } from "./words.ts"

interface Check {
  readonly id: string
  readonly level: "ok" | "look" | "fault"
  readonly text: string
  readonly link?: ReactNode
}

const marks: { readonly [L in Check["level"]]: readonly [Shape, Tone] } = {
  ok: ["dot", "good"],
  look: ["triangle", "warning"],
  fault: ["triangle", "bad"]
}

const kilobytes = (bytes: number) => numberText(Math.ceil(bytes / 1_000))

export const useChecks = (
  state: DraftState,
  rendered: Rendered,
  reach: Reach,
  at: string | null
): ReadonlyArray<Check> => {
  const words = campaignWords()
  const projectId = useProjectId()
  const domains = useRead(["domains"], (api, options) => api.domains.list(projectId, options))
  const { draft, missing, error } = state
  const domain = domainOf(draft.from)
  const isVerified = (domains.data ?? []).some((each) => each.verified && each.domain === domain)
  const link = (
    <Link to="/p/$projectId/domains" params={{ projectId }}>
      {words.openDomains}
    </Link>
  )
  const mail = rendered.data
  const unset = mail?.variables.missing ?? []
  const { eligible } = reach.data ?? {}
  const end = useEnd(eligible, at)
  return [
    missing.length === 0
      ? { id: "missing", level: "ok", text: words.allSet }
      : { id: "missing", level: "fault", text: words.missing(missing.map((name) => words[name]).join(", ")) },
    ...(domains.data === undefined
      ? []
      : isVerified
        ? [{ id: "sender", level: "ok" as const, text: words.senderOk(domain) }]
        : [
            {
              id: "sender",
              level: "fault" as const,
              text: domains.data.some(({ verified }) => verified) ? words.senderBad(domain) : words.noDomain,
              link
            }
          ]),
    ...(error === null ? [] : [{ id: "error", level: "fault" as const, text: error.message }]),
    ...(rendered.error === null ? [] : [{ id: "render", level: "fault" as const, text: rendered.error.message }]),
    ...(eligible === 0 ? [{ id: "nobody", level: "look" as const, text: words.nobody }] : []),
    ...(eligible !== undefined && eligible > 0
      ? [{ id: "reach", level: "ok" as const, text: words.reaches(eligible) }]
      : []),
    ...(end === null
      ? []
      : [
          {
            id: "end",
            level: "ok" as const,
            text: words.end(timeText(end.at, browserZone), numberText(Math.round(end.rate * 10) / 10), end.isSet)
          }
        ]),
    ...(mail === undefined
      ? []
      : [
          {
            id: "size",
            level: mail.size.clipped ? ("look" as const) : ("ok" as const),
            text: `${words.size(kilobytes(mail.size.html), kilobytes(mail.size.clipAt))}${mail.size.clipped ? `. ${words.clipped}` : ""}`
          }
        ]),
    ...(unset.length === 0 ? [] : [{ id: "unset", level: "look" as const, text: words.unset(unset.join(", ")) }]),
    ...(mail?.warnings ?? [])
      .filter(({ code }) => code !== "clipped")
      .map(({ code, message }) => ({ id: code, level: "look" as const, text: message }))
  ]
}

export const CheckList = ({ checks }: { readonly checks: ReadonlyArray<Check> }): ReactNode => (
  <ul className={styles.checks}>
    {checks.map(({ id, level, text, link }) => {
      const [shape, tone] = marks[level]
      return (
        <li key={id}>
          <State shape={shape} tone={tone}>
            <Foreign>{text}</Foreign>
          </State>{" "}
          {link}
        </li>
      )
    })}
  </ul>
)

export const Checks = ({ checks }: { readonly checks: ReadonlyArray<Check> }): ReactNode => {
  const words = campaignWords()
  return (
    <Card title={words.checks}>
      <CheckList checks={checks} />
    </Card>
  )
}
