import type { ApiKey, ApiKeyWithKey, CreateApiKey } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Pair, Row } from "../../kit/Layout.tsx"
import { ListField, linesOf } from "../../kit/ListField.tsx"
import { type Preset, presetOf, presets, type Scope, scopes, testScopes } from "./scopes.ts"
import { developerWords } from "./words.ts"

interface KeyFormProps {
  /** The key that is edited; a new one without. */
  readonly apiKey?: ApiKey | undefined
  readonly onSaved: (saved: ApiKey | ApiKeyWithKey) => void
}

const emptyKey = {
  name: "",
  mode: "LIVE" as ApiKey["mode"],
  scopes: presets.sending as ReadonlyArray<string>,
  senderDomains: [] as ReadonlyArray<string>,
  ipRanges: [] as ReadonlyArray<string>,
  rateLimitPerMinute: null as number | null,
  expiresAt: null as string | null
}

export const KeyForm = ({ apiKey, onSaved }: KeyFormProps): ReactNode => {
  const words = developerWords()
  const [fields, setFields] = useState<typeof emptyKey>(apiKey ?? emptyKey)
  const [preset, setPreset] = useState<Preset>(presetOf(fields.scopes))
  const set = (change: Partial<typeof emptyKey>) => setFields({ ...fields, ...change })
  const body = {
    name: fields.name,
    scopes: fields.scopes as CreateApiKey["scopes"],
    senderDomains: linesOf(fields.senderDomains),
    ipRanges: linesOf(fields.ipRanges),
    rateLimitPerMinute: fields.rateLimitPerMinute,
    expiresAt: fields.expiresAt
  }
  const save = useWrite<ApiKey | ApiKeyWithKey>(
    (api) =>
      apiKey === undefined ? api.apiKeys.create({ ...body, mode: fields.mode }) : api.apiKeys.update(apiKey.id, body),
    { changes: ["keys"], onDone: onSaved }
  )
  const faults = faultsOf(save.error, [
    "name",
    "scopes",
    "senderDomains",
    "ipRanges",
    "rateLimitPerMinute",
    "expiresAt"
  ])
  const open = fields.mode === "TEST" ? testScopes : scopes
  const toggle = (scope: Scope, isChosen: boolean) =>
    set({ scopes: isChosen ? [...fields.scopes, scope] : fields.scopes.filter((each) => each !== scope) })
  return (
    <DialogForm
      faults={faults}
      submit={apiKey === undefined ? words.create : words.save}
      isPending={save.isPending}
      code={
        <ShowCode
          call={
            apiKey === undefined
              ? { operation: "apiKeys.create", body: { ...body, mode: fields.mode } }
              : { operation: "apiKeys.update", path: [apiKey.id], body }
          }
        />
      }
      onSubmit={() => save.mutate()}
    >
      <TextField
        label={words.name}
        name="name"
        value={fields.name}
        onChange={(name) => set({ name })}
        isRequired
        autoFocus
      />
      <Pair>
        {apiKey === undefined && (
          <Select
            label={words.mode}
            help={words.modeHelp}
            value={fields.mode}
            choices={(["LIVE", "TEST"] as const).map((id) => ({ id, name: words.modes[id] }))}
            onChange={(mode) => set({ mode, ...(mode === "TEST" && { scopes: presets.sending }) })}
          />
        )}
        <Select
          label={words.preset}
          value={preset}
          choices={(fields.mode === "TEST"
            ? (["sending", "read", "own"] as const)
            : (["sending", "read", "all", "own"] as const)
          ).map((id) => ({ id, name: words.presets[id] }))}
          onChange={(chosen) => {
            setPreset(chosen)
            if (chosen !== "own") set({ scopes: presets[chosen] })
          }}
          fault={faults.fields["scopes"]?.[0]}
        />
      </Pair>
      {preset === "own" && (
        <fieldset className={styles.group}>
          <legend className={styles.label}>{words.scopes}</legend>
          <Row>
            {open.map((scope) => (
              <Checkbox
                key={scope}
                isSelected={fields.scopes.includes(scope)}
                onChange={(chosen) => toggle(scope, chosen)}
              >
                <code>{scope}</code>
              </Checkbox>
            ))}
          </Row>
        </fieldset>
      )}
      <Pair>
        <ListField
          label={words.senderDomains}
          help={words.senderHelp}
          name="senderDomains"
          value={fields.senderDomains}
          onChange={(senderDomains) => set({ senderDomains })}
        />
        <ListField
          label={words.ipRanges}
          help={words.ipHelp}
          name="ipRanges"
          value={fields.ipRanges}
          onChange={(ipRanges) => set({ ipRanges })}
        />
      </Pair>
      <Pair>
        <TextField
          label={words.rate}
          help={words.rateHelp}
          name="rateLimitPerMinute"
          type="number"
          min={1}
          value={fields.rateLimitPerMinute === null ? "" : String(fields.rateLimitPerMinute)}
          onChange={(text) => set({ rateLimitPerMinute: text === "" ? null : Number(text) })}
        />
        <TextField
          label={words.expires}
          name="expiresAt"
          type="date"
          value={fields.expiresAt?.slice(0, 10) ?? ""}
          onChange={(text) => set({ expiresAt: text === "" ? null : `${text}T00:00:00.000Z` })}
        />
      </Pair>
    </DialogForm>
  )
}
