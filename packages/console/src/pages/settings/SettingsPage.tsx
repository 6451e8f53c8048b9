import type { Project, UpdateProject } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { deployment } from "../../app/Deployment.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProject } from "../../app/Project.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Select, Switch, TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Card, Pair, Stack } from "../../kit/Layout.tsx"
import { ListField, linesOf } from "../../kit/ListField.tsx"
import { notify } from "../../kit/notices.ts"
import { SaveForm } from "../../kit/SaveForm.tsx"
import { PolicyForm } from "./PolicyForm.tsx"
import { ResetAndDelete } from "./ResetAndDelete.tsx"
import { SendingRules } from "./SendingRules.tsx"
import { SettingsTabs } from "./SettingsTabs.tsx"
import { Standing } from "./Standing.tsx"
import { useChangeProject } from "./useChangeProject.ts"
import { settingsWords } from "./words.ts"

const zones = Intl.supportedValuesOf("timeZone")

const settingsOf = (project: Project) => ({
  name: project.name,
  language: project.language,
  timezone: project.timezone,
  tracking: project.tracking,
  sendRatePerSecond: project.sendRatePerSecond,
  ambiguousPolicy: project.ambiguousPolicy,
  smtpDialogue: project.smtpDialogue,
  rejectDmarcFailures: project.rejectDmarcFailures,
  publicKeyPolicy: project.publicKeyPolicy,
  requireTwoFactor: project.requireTwoFactor
})

type Settings = ReturnType<typeof settingsOf>

const names = [...Object.keys(settingsOf({} as Project)), "publicKeyPolicy.origins"]

/** The settings that differ. Some need a higher role, so what stays as it is must not be sent. */
const changesOf = (before: Settings, { publicKeyPolicy, ...after }: Settings): UpdateProject => {
  const origins = linesOf(publicKeyPolicy.origins)
  return Object.fromEntries(
    Object.entries({ ...after, publicKeyPolicy: { ...publicKeyPolicy, origins } }).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Settings])
    )
  )
}

const SettingsForm = () => {
  const words = settingsWords()
  const project = useProject()
  const missing = useMissing("ownProjects.update")
  const [fields, setFields] = useState(settingsOf(project))
  const set = (change: Partial<Settings>) => setFields({ ...fields, ...change })
  const save = useChangeProject(() => notify(words.saved))
  const changes = changesOf(settingsOf(project), fields)
  // A fault of one origin names its place in the list.
  const faults = faultsOf(save.error, [...names].reverse())
  const { ambiguousPolicy, publicKeyPolicy } = fields
  const policies = (["retry", "hold"] as const).map((id) => ({ id, name: words.ambiguousPolicies[id] }))
  return (
    <SaveForm
      faults={faults}
      missing={missing}
      onSave={() => save.mutate(changes)}
      isPending={save.isPending}
      save={words.save}
    >
      <Card title={words.general}>
        <Stack>
          <TextField label={words.name} name="name" value={fields.name} onChange={(name) => set({ name })} isRequired />
          <Pair>
            <TextField
              label={words.language}
              help={words.languageHelp}
              name="language"
              value={fields.language}
              onChange={(language) => set({ language })}
              isRequired
            />
            <TextField
              label={words.timezone}
              name="timezone"
              value={fields.timezone}
              onChange={(timezone) => set({ timezone })}
              list="zones"
              isRequired
            />
          </Pair>
          <datalist id="zones">
            {zones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </Stack>
      </Card>
      <Card title={words.sending}>
        <Stack>
          <Pair>
            <Select
              label={words.tracking}
              value={fields.tracking}
              choices={(["ENABLED", "MARKETING_ONLY", "DISABLED"] as const).map((id) => ({
                id,
                name: words.trackings[id]
              }))}
              onChange={(tracking) => set({ tracking })}
              fault={faults.fields["tracking"]?.[0]}
            />
            <TextField
              label={words.sendRate}
              help={words.sendRateHelp}
              name="sendRatePerSecond"
              type="number"
              min={1}
              max={100_000}
              value={fields.sendRatePerSecond === null ? "" : String(fields.sendRatePerSecond)}
              onChange={(text) => set({ sendRatePerSecond: text === "" ? null : Number(text) })}
            />
          </Pair>
          <fieldset className={styles.group}>
            <legend className={styles.label}>{words.ambiguous}</legend>
            <span className={styles.help}>{words.ambiguousHelp}</span>
            <Pair>
              <Select
                label={words.transactional}
                value={ambiguousPolicy.transactional}
                choices={policies}
                onChange={(transactional) => set({ ambiguousPolicy: { ...ambiguousPolicy, transactional } })}
              />
              <Select
                label={words.bulk}
                value={ambiguousPolicy.bulk}
                choices={policies}
                onChange={(bulk) => set({ ambiguousPolicy: { ...ambiguousPolicy, bulk } })}
              />
            </Pair>
          </fieldset>
          <Select
            label={words.dialogue}
            value={fields.smtpDialogue}
            choices={(["FAILURES", "ALL", "NONE"] as const).map((id) => ({ id, name: words.dialogues[id] }))}
            onChange={(smtpDialogue) => set({ smtpDialogue })}
          />
          <Switch
            isSelected={fields.rejectDmarcFailures}
            onChange={(rejectDmarcFailures) => set({ rejectDmarcFailures })}
          >
            {words.rejectDmarc}
          </Switch>
        </Stack>
      </Card>
      <Card title={words.access}>
        <Stack>
          <Switch
            isSelected={publicKeyPolicy.subscribe}
            onChange={(subscribe) => set({ publicKeyPolicy: { ...publicKeyPolicy, subscribe } })}
          >
            {words.subscribe}
          </Switch>
          <Switch
            isSelected={publicKeyPolicy.overwrite}
            onChange={(overwrite) => set({ publicKeyPolicy: { ...publicKeyPolicy, overwrite } })}
          >
            {words.overwrite}
          </Switch>
          <ListField
            label={words.origins}
            help={words.originsHelp}
            name="publicKeyPolicy.origins"
            value={publicKeyPolicy.origins}
            onChange={(origins) => set({ publicKeyPolicy: { ...publicKeyPolicy, origins } })}
          />
          {deployment.mode === "server" && (
            <>
              <Switch isSelected={fields.requireTwoFactor} onChange={(requireTwoFactor) => set({ requireTwoFactor })}>
                {words.requireTwoFactor}
              </Switch>
              <span className={styles.help}>{words.requireTwoFactorHelp}</span>
            </>
          )}
        </Stack>
      </Card>
    </SaveForm>
  )
}

export const SettingsPage = (): ReactNode => {
  const words = settingsWords()
  const { updatedAt } = useProject()
  return (
    <Page title={words.settings}>
      <SettingsTabs current="settings" />
      <SettingsForm key={updatedAt} />
      <PolicyForm />
      <SendingRules />
      <Standing />
      {deployment.mode === "server" && <ResetAndDelete />}
    </Page>
  )
}
