/** What the project has to choose from: fields of contacts, events and segments. */
import type { ContactField } from "@posthorn/client/session"
import { createContext, type ReactNode, useContext, useId, useMemo } from "react"
import { useRead } from "../../app/Queries.ts"

export interface TreeFault {
  /** A path from the root of the tree: `groups.0.filters.1.value`. */
  readonly field: string
  readonly message: string
}

interface Vocabulary {
  readonly fields: ReadonlyMap<string, ContactField["type"]>
  readonly segments: ReadonlyMap<string, string>
  /** The ids of the lists that fields and event names are proposed from. */
  readonly fieldList: string
  readonly eventList: string
  readonly faults: ReadonlyArray<TreeFault>
  readonly isStep: boolean
}

const Context = createContext<Vocabulary | null>(null)

export const useVocabulary = (): Vocabulary => {
  const found = useContext(Context)
  if (found === null) throw new Error("There is no condition around this.")
  return found
}

/** The names of the project's segments by their ids. */
export const useSegmentNames = (): ReadonlyMap<string, string> => {
  const { data } = useRead(["segments"], (api, options) => api.segments.list(options), { staleTime: 60_000 })
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data])
}

interface VocabularyProps {
  readonly faults: ReadonlyArray<TreeFault>
  readonly isStep: boolean
  readonly children: ReactNode
}

export const VocabularyProvider = ({ faults, isStep, children }: VocabularyProps): ReactNode => {
  const id = useId()
  const segments = useSegmentNames()
  const contactFields = useRead(["contacts", "fields"], (api, options) => api.contacts.fields(options), {
    staleTime: 60_000
  })
  const events = useRead(["events", "names", "all"], (api, options) => api.events.names({ source: "all" }, options), {
    staleTime: 60_000
  })
  const given = contactFields.data?.fields
  const fields = useMemo(() => new Map(given?.map(({ field, type }) => [field, type])), [given])
  const value = useMemo(
    () => ({ fields, segments, fieldList: `${id}fields`, eventList: `${id}events`, faults, isStep }),
    [fields, segments, id, faults, isStep]
  )
  return (
    <Context value={value}>
      {children}
      <datalist id={value.fieldList}>
        {[...fields.keys()].map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      <datalist id={value.eventList}>
        {events.data?.eventNames.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Context>
  )
}
