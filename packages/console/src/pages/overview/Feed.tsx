/** Entries of the activity feed. */
import type { ActivityEntry } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { pathOf } from "../../app/links.ts"
import { useProjectId } from "../../app/Project.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import styles from "./overview.module.css"
import { overviewWords } from "./words.ts"

type Entry = Pick<ActivityEntry, "id" | "contactEmail" | "contactId" | "metadata"> & {
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

/** Fields of the metadata that name a record, and the pages that show it. */
const records = [
  ["emailId", "mails"],
  ["workflowId", "workflows"],
  ["campaignId", "campaigns"],
  ["eventName", "events"]
] as const

/** What an entry is about, with a link to its record. */
export const About = ({ metadata }: { readonly metadata: object }): ReactNode => {
  const projectId = useProjectId()
  const given: { readonly [name: string]: unknown } = { ...metadata }
  const about = <Foreign>{subjectOf(metadata)}</Foreign>
  for (const [field, page] of records) {
    const id = given[field]
    if (typeof id === "string") return <Link to={pathOf(projectId, page, id)}>{about}</Link>
  }
  return about
}

/** The contact of an entry, with a link to it while it is there. */
export const Who = ({ contactId, contactEmail }: Pick<Entry, "contactId" | "contactEmail">): ReactNode => {
  const projectId = useProjectId()
  const address = <Foreign>{contactEmail}</Foreign>
  return contactId === null ? (
    address
  ) : (
    <Link to="/p/$projectId/contacts/$contactId" params={{ projectId, contactId }}>
      {address}
    </Link>
  )
}

export const Feed = ({ entries }: { readonly entries: ReadonlyArray<Entry> }): ReactNode => {
  const names = overviewWords().activities
  return (
    <ul className={styles.feed}>
      {entries.map(({ id, type, timestamp, contactId, contactEmail, metadata }) => (
        <li key={id}>
          <Time at={timestamp} />
          <strong>{nameOf(names, type)}</strong>
          <Who contactId={contactId} contactEmail={contactEmail} />
          <About metadata={metadata} />
        </li>
      ))}
    </ul>
  )
}
