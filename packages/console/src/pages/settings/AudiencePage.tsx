/** The rules of an audience: confirmation, topics, records of consent, pages of recipients, and messages of trackers. */
import type { AudienceSettings, UpdateAudienceSettings } from "@posthorn/client/session"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Select, Switch } from "../../kit/Field.tsx"
import { Bar, Card, Problem, Stack } from "../../kit/Layout.tsx"
import { linesOf } from "../../kit/ListField.tsx"
import { notify } from "../../kit/notices.ts"
import { SaveForm } from "../../kit/SaveForm.tsx"
import { Consent, Ingest, Pages, type PartProps, type Settings } from "./AudienceParts.tsx"
import { audienceWords } from "./audienceWords.ts"
import { OptIn } from "./OptInPart.tsx"
import { SettingsTabs } from "./SettingsTabs.tsx"

const PagesPreview = lazy(async () => ({ default: (await import("./PagesPreview.tsx")).PagesPreview }))

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const changesIn = (before: object, after: object) => {
  const known: { readonly [name: string]: unknown } = { ...before }
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(value, known[name])))
}

/** What differs, one level deep, as the API merges it. */
const changesOf = (before: Settings, after: Settings): UpdateAudienceSettings =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const known = before[name as keyof Settings]
      if (isSame(value, known)) return []
      return [[name, typeof value === "object" && value !== null ? changesIn(known as object, value) : value]]
    })
  )

/** Lines of the origins are made clean when the form is sent. */
const cleaned = (settings: Settings): Settings => ({
  ...settings,
  pages: { ...settings.pages, embedOrigins: linesOf(settings.pages.embedOrigins) }
})

/** As the API names them in its faults. */
const namesOf = (settings: Settings) =>
  Object.entries(settings).flatMap(([group, value]) =>
    typeof value === "object" ? Object.keys(value).map((name) => `${group}.${name}`) : [group]
  )

const AudienceForm = ({ settings }: { readonly settings: Settings }) => {
  const words = audienceWords()
  const missing = useMissing("settings.updateAudience")
  const [fields, setFields] = useState(settings)
  const body = changesOf(settings, cleaned(fields))
  const save = useWrite((api) => api.settings.updateAudience(body), {
    changes: ["audience"],
    onDone: () => notify(words.saved)
  })
  const faults = faultsOf(save.error, namesOf(settings))
  const set: PartProps["set"] = (group, change) =>
    setFields((last) => ({ ...last, [group]: { ...last[group], ...change } }))
  const part = { fields, set, faults }
  const form = (
    <SaveForm
      faults={faults}
      missing={missing}
      onSave={() => save.mutate()}
      isPending={save.isPending}
      save={words.save}
      code={<ShowCode call={{ operation: "settings.updateAudience", body }} />}
      isBlocking={false}
    >
      <OptIn {...part} />
      <Card title={words.topics}>
        <Stack>
          <Switch
            isSelected={fields.topicRequired}
            onChange={(topicRequired) => setFields((last) => ({ ...last, topicRequired }))}
          >
            {words.topicRequired}
          </Switch>
          <Select
            label={words.oneClick}
            value={fields.oneClickScope}
            choices={(["topic", "all"] as const).map((id) => ({ id, name: words.oneClicks[id] }))}
            onChange={(oneClickScope) => setFields((last) => ({ ...last, oneClickScope }))}
          />
        </Stack>
      </Card>
      <Consent {...part} />
      <Pages {...part} />
      <Ingest {...part} />
    </SaveForm>
  )
  return (
    <>
      {form}
      <Suspense fallback={<Bar height={640} />}>
        <PagesPreview pages={fields.pages} selfService={fields.selfService} />
      </Suspense>
    </>
  )
}

export const AudiencePage = (): ReactNode => {
  const words = audienceWords()
  const settings = useRead(["audience"], (api, options) => api.settings.audience(options), { staleTime: 0 })
  const { data, error } = settings
  return (
    <Page title={words.title} actions={<ShowCode call={{ operation: "settings.audience" }} />}>
      <SettingsTabs current="audience" />
      {error !== null && data === undefined && <Problem error={error} onRetry={() => void settings.refetch()} />}
      {data === undefined ? error === null && <Bar height={720} /> : <Loaded settings={data} />}
    </Page>
  )
}

const Loaded = ({ settings: { updatedAt, ...settings } }: { readonly settings: AudienceSettings }) => (
  <AudienceForm key={updatedAt} settings={settings} />
)
