/** The parts of the rules of an audience. */
import type { AudienceSettings } from "@posthorn/client/session"
import type { ReactNode } from "react"
import type { FormFaults } from "../../kit/Faults.ts"
import { Select, Switch, TextField } from "../../kit/Field.tsx"
import { Card, Pair, Stack } from "../../kit/Layout.tsx"
import { ListField } from "../../kit/ListField.tsx"
import { audienceWords } from "./audienceWords.ts"

export type Settings = Omit<AudienceSettings, "updatedAt">
type Group = "doubleOptIn" | "consent" | "selfService" | "pages" | "ingest"

export interface PartProps {
  readonly fields: Settings
  readonly set: <G extends Group>(group: G, change: Partial<Settings[G]>) => void
  readonly faults: FormFaults
}

/** A text that is null when it is empty. */
export const Text = (props: {
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
export const Amount = (props: {
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

export const Consent = ({ fields: { consent, selfService }, set }: PartProps): ReactNode => {
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

export const Pages = ({ fields: { pages }, set }: PartProps): ReactNode => {
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

export const Ingest = ({ fields: { ingest }, set }: PartProps): ReactNode => {
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
