/** The rules of sending: a choice is stored when it is made. */
import type { ReactNode } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { Select } from "../../kit/Field.tsx"
import { Answer, Card, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { settingsWords } from "./words.ts"

const rules = ["OFF", "MEMBERS", "ALL"] as const

export const SendingRules = (): ReactNode => {
  const words = settingsWords()
  const missing = useMissing("settings.updateSending")
  const settings = useRead(["sending"], (api, options) => api.settings.sending(options))
  const save = useWrite(
    (api, campaignApproval: (typeof rules)[number]) => api.settings.updateSending({ campaignApproval }),
    { changes: ["sending"], onDone: () => notify(words.saved) }
  )
  return (
    <Card title={words.approval}>
      <Answer of={settings} height={80}>
        {({ campaignApproval }) => (
          <Stack>
            <Select
              label={words.approvalRule}
              help={words.approvalHelp}
              value={campaignApproval}
              choices={rules
                .filter((id) => missing === null || id === campaignApproval)
                .map((id) => ({ id, name: words.approvalRules[id] }))}
              onChange={(rule) => save.mutate(rule)}
            />
            {save.error !== null && <Problem error={save.error} />}
            <Row>
              <ShowCode call={{ operation: "settings.updateSending", body: { campaignApproval } }} />
            </Row>
          </Stack>
        )}
      </Answer>
    </Card>
  )
}
