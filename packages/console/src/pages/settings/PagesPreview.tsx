/** The preference page as recipients will see it, with what is not saved yet. Nothing in it changes anything. */
import type { AudienceSettings, PreviewPreferences } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useRead } from "../../app/Queries.ts"
import { inLanguage } from "../../app/Words.ts"
import { ContactField } from "../../editor/ContactField.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { Select } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Answer, Card, Notice, Pair, Stack } from "../../kit/Layout.tsx"
import { PreviewFrame } from "../../kit/PreviewFrame.tsx"
import { useSettled } from "../../kit/useSettled.ts"
import { audienceWords } from "./audienceWords.ts"

/** The languages of the pages that recipients see. */
const languages = ["en", "de", "fr", "es", "nl", "pt", "it", "pl", "ja", "zh-CN"] as const
type Language = (typeof languages)[number]

const names = inLanguage((own) => new Intl.DisplayNames(own, { type: "language" }))

/** Milliseconds. */
const pause = 600

const isHttps = (url: string | null) => url === null || (/^https:/i.test(url) && URL.canParse(url))
const isColor = (color: string | null) => color === null || /^#[0-9a-f]{6}$/i.test(color)

type Change = NonNullable<PreviewPreferences["pages"]>

/** What of the fields is whole. What is still being typed is shown as it is stored. */
const shownOf = ({ name, color, snooze, language, ...urls }: AudienceSettings["pages"]): Change => ({
  snooze,
  language,
  ...((name === null || name.length <= 100) && { name }),
  ...(isColor(color) && { color }),
  ...Object.fromEntries(
    (["logoUrl", "websiteUrl", "privacyUrl", "imprintUrl"] as const).flatMap((key) =>
      isHttps(urls[key]) ? [[key, urls[key]]] : []
    )
  )
})

const isAddress = (text: string) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text)

export const PagesPreview = (props: Pick<AudienceSettings, "pages" | "selfService">): ReactNode => {
  const words = audienceWords()
  const [language, setLanguage] = useState<Language | "">("")
  const [address, setAddress] = useState("")
  const email = useSettled(address.trim(), pause)
  const contact = useRead(
    ["contacts", "named", "exact", email],
    (api, options) => api.contacts.list({ email, limit: 1 }, options).page(),
    { enabled: isAddress(email) }
  )
  const contactId = isAddress(email) ? contact.data?.data[0]?.id : undefined
  const text = useSettled(
    JSON.stringify({
      pages: shownOf(props.pages),
      selfService: props.selfService,
      ...(language !== "" && { language }),
      ...(contactId !== undefined && { contactId })
    }),
    pause
  )
  const body: PreviewPreferences = JSON.parse(text)
  const preview = useRead(
    ["audience", "preview", text],
    (api, options) => api.settings.previewPreferences(body, options),
    { keep: true, staleTime: 30_000 }
  )
  return (
    <Card title={words.preview} actions={<ShowCode call={{ operation: "settings.previewPreferences", body }} />}>
      <Stack>
        <p className={kit.help}>{words.previewAbout}</p>
        <Pair>
          <Select<Language | "">
            label={words.previewLanguage}
            value={language}
            choices={[
              { id: "", name: words.previewOwn },
              ...languages.map((id) => ({ id, name: names().of(id) ?? id }))
            ]}
            onChange={setLanguage}
          />
          <ContactField
            label={words.previewContact}
            help={words.previewContactHelp}
            value={address}
            onChange={setAddress}
          />
        </Pair>
        {isAddress(email) && contact.data?.data.length === 0 && <Notice tone="warning">{words.previewNobody}</Notice>}
        <Answer of={preview} height={480}>
          {({ html }) => <PreviewFrame title={words.preview} html={html} />}
        </Answer>
      </Stack>
    </Card>
  )
}
