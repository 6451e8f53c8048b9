/** Entries of the activity feed. */
import type { ActivityEntry } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import styles from "./overview.module.css"
import { overviewWords } from "./words.ts"

type Entry = Pick<ActivityEntry, "id" | "contactEmail" | "metadata"> & {
  readonly type: string
  readonly timestamp: string | null
}

/** A field of the metadata that names what the entry is about. */
const subjectOf = (metadata: object): string => {
  const given: { readonly [name: string]: unknown } = { ...metadata }
  for (const name of ["subject", "eventName", "campaignName", "workflowName", "name"]) {
    const value = given[name]
    if (typeof value === "string") return value
  }
  return ""
}

export const nameOf = (names: ReturnType<typeof overviewWords>["activities"], type: string): string =>
  Object.hasOwn(names, type) ? names[type as keyof typeof names] : type

const mailOf = (metadata: object): string | undefined => {
  const { emailId } = metadata as { readonly emailId?: unknown }
  return typeof emailId === "string" ? emailId : undefined
}

/** What an entry is about, with a link to the mail if it is about one. */
export const About = ({ metadata }: { readonly metadata: object }): ReactNode => {
  const projectId = useProjectId()
  const mailId = mailOf(metadata)
  const about = <Foreign>{subjectOf(metadata)}</Foreign>
  return mailId === undefined ? (
    about
  ) : (
    <Link to="/p/$projectId/mails/$mailId" params={{ projectId, mailId }}>
      {about}
    </Link>
  )
}

export const Feed = ({ entries }: { readonly entries: ReadonlyArray<Entry> }): ReactNode => {
  const names = overviewWords().activities
  return (
    <ul className={styles.feed}>
      {entries.map(({ id, type, timestamp, contactEmail, metadata }) => (
        <li key={id}>
          <Time at={timestamp} />
          <strong>{nameOf(names, type)}</strong>
          {contactEmail !== null && <Foreign>{contactEmail}</Foreign>}
          <About metadata={metadata} />
        </li>
      ))}
    </ul>
  )
}
