/** What a step sets for topics: a state for each one that is chosen. */
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { Select } from "../../kit/Field.tsx"
import { Row } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import type { Config } from "./Drawing.ts"
import { workflowWords } from "./words.ts"

interface TopicStatesProps {
  readonly config: Config
  /** Fields with the value undefined are left out. */
  readonly set: (change: Config) => void
}

const states = ["subscribed", "unsubscribed", "unset"] as const
type State = (typeof states)[number]

export const TopicStatesFields = ({ config, set }: TopicStatesProps): ReactNode => {
  const { fields } = workflowWords()
  const topics = useRead(["topics", "list", false], (api, options) => api.topics.list({}, options), {
    staleTime: 60_000
  })
  const chosen = (config["topics"] ?? {}) as Readonly<Record<string, State>>
  const put = (next: Readonly<Record<string, State>>) =>
    set({ topics: Object.keys(next).length === 0 ? undefined : next })
  const remove = (topic: string) => put(Object.fromEntries(Object.entries(chosen).filter(([name]) => name !== topic)))
  const isChosen = ({ id, key }: { readonly id: string; readonly key: string }) =>
    Object.hasOwn(chosen, id) || Object.hasOwn(chosen, key)
  // An archived topic is shown by what the step calls it.
  const nameOf = (topic: string) => topics.data?.find(({ id, key }) => id === topic || key === topic)?.name ?? topic
  const others = (topics.data ?? []).filter((topic) => !isChosen(topic))
  return (
    <>
      {Object.entries(chosen).map(([topic, state]) => (
        <Row key={topic}>
          <Select<State>
            label={<Foreign>{nameOf(topic)}</Foreign>}
            name={`config.topics.${topic}`}
            value={state}
            choices={states.map((id) => ({ id, name: fields.topicStates[id] }))}
            onChange={(next) => put({ ...chosen, [topic]: next })}
          />
          <Button kind="quiet" onPress={() => remove(topic)}>
            {fields.removeTopic(nameOf(topic))}
          </Button>
        </Row>
      ))}
      {others.length > 0 && (
        <Select
          label={fields.addTopic}
          placeholder={fields.chooseTopic}
          value=""
          choices={others.map(({ key, name }) => ({ id: key, name }))}
          onChange={(key) => key !== "" && put({ ...chosen, [key]: "subscribed" })}
        />
      )}
    </>
  )
}
