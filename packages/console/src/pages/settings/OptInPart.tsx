/** How a new subscriber confirms. */
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { Select } from "../../kit/Field.tsx"
import { Card, Pair, Stack } from "../../kit/Layout.tsx"
import { Amount, type PartProps, type Settings, Text } from "./AudienceParts.tsx"
import { audienceWords } from "./audienceWords.ts"

export const OptIn = ({ fields: { doubleOptIn }, set, faults }: PartProps): ReactNode => {
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
