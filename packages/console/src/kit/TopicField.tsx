/** The topic of mail: only contacts that take it get the mail. */
import type { ReactNode } from "react"
import { useRead } from "../app/Queries.ts"
import { Select } from "./Field.tsx"
import { topicFieldWords } from "./topicFieldWords.ts"

interface TopicFieldProps {
  /** The id of the topic. */
  readonly value: string | null
  readonly onChange: (topicId: string | null) => void
  /** What decides where no topic is chosen. */
  readonly none?: string | undefined
  readonly fault?: string | undefined
}

export const TopicField = ({ value, onChange, none, fault }: TopicFieldProps): ReactNode => {
  const words = topicFieldWords()
  const topics = useRead(["topics", "list", false], (api, options) => api.topics.list({}, options), {
    staleTime: 60_000
  })
  const known = (topics.data ?? []).map(({ id, name }) => ({ id, name }))
  // An archived topic stays chosen.
  const isKnown = value === null || known.some(({ id }) => id === value)
  return (
    <Select
      label={words.topic}
      help={words.help}
      fault={fault}
      value={value ?? ""}
      choices={[
        { id: "", name: none ?? words.none },
        ...known,
        ...(isKnown ? [] : [{ id: value, name: topics.data === undefined ? words.topic : words.archived }])
      ]}
      onChange={(id) => onChange(id || null)}
    />
  )
}
