/** The rules of an audience: confirmation, topics, records of consent, pages of recipients, and messages of trackers. */
import type { AudienceSettings, UpdateAudienceSettings } from "@posthorn/client/session"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { type FormFaults, faultsOf } from "../../kit/Faults.ts"
import { Select, Switch, TextField } from "../../kit/Field.tsx"
import { Bar, Card, Pair, Problem, Stack } from "../../kit/Layout.tsx"
import { ListField, linesOf } from "../../kit/ListField.tsx"
import { notify } from "../../kit/notices.ts"
import { SaveForm } from "../../kit/SaveForm.tsx"
import { audienceWords } from "./audienceWords.ts"
import { SettingsTabs } from "./SettingsTabs.tsx"

const PagesPreview = lazy(async () => ({ default: (await import("./PagesPreview.tsx")).PagesPreview }))

type Settings = Omit<AudienceSettings, "updatedAt">
type Group = "doubleOptIn" | "consent" | "selfService" | "pages" | "ingest"

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

interface PartProps {
  readonly fields: Settings
  readonly set: <G extends Group>(group: G, change: Partial<Settings[G]>) => void
  readonly faults: FormFaults
}

/** A text that is null when it is empty. */
const Text = (props: {
  readonly label: string
  readonly help?: string
  readonly name: string
  readonly type?: "email" | "url" | "text"
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}) => (
  <TextField
    {...props}
    value={props.value ?? ""}
    onChange={(text) => props.onChange(text.trim() === "" ? null : text)}
  />
)

/** A whole number; empty is null. */
const Amount = (props: {
  readonly label: string
  readonly help?: string
  readonly name: string
  readonly min: number
  readonly max: number
  readonly isRequired?: boolean
  readonly value: number | null
  readonly onChange: (value: number | null) => void
}) => (
  <TextField
    {...props}
    type="number"
    value={props.value === null ? "" : String(props.value)}
    onChange={(text) => props.onChange(text === "" ? null : Number(text))}
  />
)

const OptIn = ({ fields: { doubleOptIn }, set, faults }: PartProps) => {
  const words = audienceWords()
  const templates = useRead(["templates", "transactional"], (api, options) =>
    api.templates.list({ type: "TRANSACTIONAL", pageSize: 100, sort: "name", dir: "asc" }, options).page()
  )
  const change = (next: Partial<Settings["doubleOptIn"]>) => set("doubleOptIn", next)
  return (
    <Card title={words.optIn}>
      <Stack>
        <Select
          label={words.mode}
          value={doubleOptIn.mode}
          choices={(["off", "public", "all"] as const).map((id) => ({ id, name: words.modes[id] }))}
          onChange={(mode) => change({ mode })}
          fault={faults.fields["doubleOptIn.mode"]?.[0]}
        />
        <Pair>
          <Text
            label={words.from}
            help={words.fromHelp}
            name="doubleOptIn.from"
            type="email"
            value={doubleOptIn.from}
            onChange={(from) => change({ from })}
          />
          <Text
            label={words.fromName}
            name="doubleOptIn.fromName"
            value={doubleOptIn.fromName}
            onChange={(fromName) => change({ fromName })}
          />
        </Pair>
        <Pair>
          <Text
            label={words.replyTo}
            name="doubleOptIn.replyTo"
            type="email"
            value={doubleOptIn.replyTo}
            onChange={(replyTo) => change({ replyTo })}
          />
          <Select
            label={words.template}
            help={words.templateHelp}
            value={doubleOptIn.templateId ?? ""}
            choices={[
              { id: "", name: words.ownText },
              ...(templates.data?.data ?? []).map(({ id, name }) => ({ id, name }))
            ]}
            onChange={(id) => change({ templateId: id || null })}
            fault={faults.fields["doubleOptIn.templateId"]?.[0]}
          />
        </Pair>
        <Pair>
          <Amount
            label={words.expires}
            name="doubleOptIn.expiresInDays"
            min={1}
            max={30}
            isRequired
            value={doubleOptIn.expiresInDays}
            onChange={(days) => change({ expiresInDays: days ?? 7 })}
          />
          <Amount
            label={words.reminder}
            help={words.reminderHelp}
            name="doubleOptIn.reminderAfterHours"
            min={12}
            max={168}
            value={doubleOptIn.reminderAfterHours}
            onChange={(reminderAfterHours) => change({ reminderAfterHours })}
          />
        </Pair>
        <Pair>
          <Amount
            label={words.cleanUp}
            help={words.cleanUpHelp}
            name="doubleOptIn.deleteUnconfirmedAfterDays"
            min={0}
            max={365}
            value={doubleOptIn.deleteUnconfirmedAfterDays}
            onChange={(deleteUnconfirmedAfterDays) => change({ deleteUnconfirmedAfterDays })}
          />
          <Text
            label={words.redirect}
            help={words.redirectHelp}
            name="doubleOptIn.redirectUrl"
            type="url"
            value={doubleOptIn.redirectUrl}
            onChange={(redirectUrl) => change({ redirectUrl })}
          />
        </Pair>
      </Stack>
    </Card>
  )
}

const Consent = ({ fields: { consent, selfService }, set }: PartProps) => {
  const words = audienceWords()
  return (
    <>
      <Card title={words.consent}>
        <Stack>
          <Pair>
            <Select
              label={words.ip}
              value={consent.ip}
              choices={(["off", "truncated", "full"] as const).map((id) => ({ id, name: words.ips[id] }))}
              onChange={(ip) => set("consent", { ip })}
            />
            <Amount
              label={words.retention}
              help={words.retentionHelp}
              name="consent.retentionDays"
              min={30}
              max={3_650}
              value={consent.retentionDays}
              onChange={(retentionDays) => set("consent", { retentionDays })}
            />
          </Pair>
          <Switch isSelected={consent.userAgent} onChange={(userAgent) => set("consent", { userAgent })}>
            {words.userAgent}
          </Switch>
        </Stack>
      </Card>
      <Card title={words.selfService}>
        <Stack>
          <Switch isSelected={selfService.export} onChange={(on) => set("selfService", { export: on })}>
            {words.export}
          </Switch>
          <Select
            label={words.erasure}
            value={selfService.erasure}
            choices={(["off", "request", "automatic"] as const).map((id) => ({ id, name: words.erasures[id] }))}
            onChange={(erasure) => set("selfService", { erasure })}
          />
        </Stack>
      </Card>
    </>
  )
}

const Pages = ({ fields: { pages }, set }: PartProps) => {
  const words = audienceWords()
  const change = (next: Partial<Settings["pages"]>) => set("pages", next)
  const text = (name: keyof Settings["pages"] & ("name" | "color" | `${string}Url`)) => ({
    name: `pages.${name}`,
    value: pages[name],
    onChange: (value: string | null) => change({ [name]: value })
  })
  return (
    <Card title={words.pages}>
      <Stack>
        <Pair>
          <Text label={words.pageName} help={words.pageNameHelp} {...text("name")} />
          <Text label={words.color} help={words.colorHelp} {...text("color")} />
        </Pair>
        <Pair>
          <Text label={words.logo} help={words.logoHelp} type="url" {...text("logoUrl")} />
          <Text label={words.website} type="url" {...text("websiteUrl")} />
        </Pair>
        <Pair>
          <Text label={words.privacy} type="url" {...text("privacyUrl")} />
          <Text label={words.imprint} type="url" {...text("imprintUrl")} />
        </Pair>
        <Text label={words.preferences} help={words.preferencesHelp} type="url" {...text("preferencesUrl")} />
        <ListField
          label={words.origins}
          help={words.originsHelp}
          name="pages.embedOrigins"
          value={pages.embedOrigins}
          onChange={(embedOrigins) => change({ embedOrigins })}
        />
        <Switch isSelected={pages.snooze} onChange={(snooze) => change({ snooze })}>
          {words.snooze}
        </Switch>
        <Switch isSelected={pages.language} onChange={(on) => change({ language: on })}>
          {words.languages}
        </Switch>
      </Stack>
    </Card>
  )
}

const Ingest = ({ fields: { ingest }, set }: PartProps) => {
  const words = audienceWords()
  return (
    <Card title={words.ingest}>
      <Stack>
        <Switch isSelected={ingest.page} onChange={(page) => set("ingest", { page })}>
          {words.ingestPage}
        </Switch>
        <Switch isSelected={ingest.screen} onChange={(screen) => set("ingest", { screen })}>
          {words.ingestScreen}
        </Switch>
        <Pair>
          <Select
            label={words.anonymous}
            value={ingest.anonymous}
            choices={(["drop", "hold"] as const).map((id) => ({ id, name: words.anonymousChoices[id] }))}
            onChange={(anonymous) => set("ingest", { anonymous })}
          />
          <Amount
            label={words.holdDays}
            name="ingest.holdDays"
            min={1}
            max={30}
            isRequired
            value={ingest.holdDays}
            onChange={(days) => set("ingest", { holdDays: days ?? 7 })}
          />
        </Pair>
      </Stack>
    </Card>
  )
}

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
