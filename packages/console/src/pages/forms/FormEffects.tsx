/** What a submission does, where it leads, and who may submit. */
import type { FormTopic } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { Checkbox, Select, Switch, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Card, Pair, Stack } from "../../kit/Layout.tsx"
import { ListField } from "../../kit/ListField.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { YesNoSelect } from "../../kit/YesNoSelect.tsx"
import type { Draft } from "./draft.ts"
import { formWords } from "./words.ts"

interface EffectsProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
}

const Topics = ({ draft: { topics }, set }: EffectsProps) => {
  const words = formWords()
  const found = useRead(["topics", "list", false], (api, options) => api.topics.list({}, options))
  const known = found.data?.filter(
    ({ key, visibility }) => visibility === "public" || topics.some((topic) => topic.key === key)
  )
  const change = (key: string, mode: FormTopic["mode"] | "none") => {
    const others = topics.filter((topic) => topic.key !== key)
    set({ topics: mode === "none" ? others : [...others, { key, mode }] })
  }
  return (
    <fieldset className={kit.group}>
      <legend className={kit.label}>{words.topics}</legend>
      {known?.length === 0 && <p className={kit.help}>{words.noTopics}</p>}
      {known?.map(({ key, name }) => (
        <Select<FormTopic["mode"] | "none">
          key={key}
          label={<Foreign>{name}</Foreign>}
          value={topics.find((topic) => topic.key === key)?.mode ?? "none"}
          choices={(["none", "choice", "always"] as const).map((id) => ({ id, name: words.topicModes[id] }))}
          onChange={(mode) => change(key, mode)}
        />
      ))}
    </fieldset>
  )
}

const Segments = ({ draft: { segmentIds }, set }: EffectsProps) => {
  const words = formWords()
  const found = useRead(["segments"], (api, options) => api.segments.list(options))
  const known = found.data?.filter(({ type }) => type === "STATIC")
  return (
    <fieldset className={kit.group}>
      <legend className={kit.label}>{words.segments}</legend>
      {known?.length === 0 && <p className={kit.help}>{words.noSegments}</p>}
      {known?.map(({ id, name }) => (
        <Checkbox
          key={id}
          isSelected={segmentIds.includes(id)}
          onChange={(isChosen) =>
            set({ segmentIds: isChosen ? [...segmentIds, id] : segmentIds.filter((each) => each !== id) })
          }
        >
          <Foreign>{name}</Foreign>
        </Checkbox>
      ))}
    </fieldset>
  )
}

export const FormEffects = ({ draft, set }: EffectsProps): ReactNode => {
  const words = formWords()
  const { subscribe, doubleOptIn } = draft
  return (
    <>
      <Card title={words.does}>
        <Stack>
          <Switch isSelected={subscribe} onChange={(on) => set({ subscribe: on })}>
            {words.subscribe}
          </Switch>
          <YesNoSelect
            label={words.doubleOptIn}
            words={words.doubleOptIns}
            value={doubleOptIn}
            onChange={(value) => set({ doubleOptIn: value })}
          />
          <Topics draft={draft} set={set} />
          <Segments draft={draft} set={set} />
        </Stack>
      </Card>
      <Card title={words.after}>
        <Pair>
          <TextField
            label={words.redirect}
            help={words.redirectHelp}
            name="redirectUrl"
            type="url"
            value={draft.redirectUrl}
            onChange={(redirectUrl) => set({ redirectUrl })}
          />
          <TextField
            label={words.confirmedRedirect}
            name="confirmedRedirectUrl"
            type="url"
            value={draft.confirmedRedirectUrl}
            onChange={(confirmedRedirectUrl) => set({ confirmedRedirectUrl })}
          />
        </Pair>
      </Card>
      <Card title={words.protection}>
        <Stack>
          <ListField
            label={words.origins}
            help={words.originsHelp}
            name="allowedOrigins"
            value={draft.allowedOrigins}
            onChange={(allowedOrigins) => set({ allowedOrigins })}
          />
          <Switch isSelected={draft.requireTicket} onChange={(requireTicket) => set({ requireTicket })}>
            {words.ticket}
          </Switch>
        </Stack>
      </Card>
    </>
  )
}
