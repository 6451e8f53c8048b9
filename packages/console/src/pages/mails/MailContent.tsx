/** What a mail said: rendered in a frame, or as text. */
import type { EmailDetail } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useRead } from "../../app/Queries.ts"
import { Checkbox } from "../../kit/Field.tsx"
import { Bar, Empty, Facts, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { PreviewFrame } from "../../kit/PreviewFrame.tsx"
import { Foreign } from "../../kit/Text.tsx"
import styles from "./mails.module.css"
import { mailWords } from "./words.ts"

export type ContentPart = "preview" | "text" | "source" | "headers" | "raw"

const Preview = ({ title, html }: { readonly title: string; readonly html: string }) => {
  const words = mailWords()
  const [isNarrow, setNarrow] = useState(false)
  const [isDark, setDark] = useState(false)
  const [images, setImages] = useState(true)
  return (
    <Stack>
      <Row>
        <Checkbox isSelected={isNarrow} onChange={setNarrow}>
          {words.narrow}
        </Checkbox>
        <Checkbox isSelected={isDark} onChange={setDark}>
          {words.dark}
        </Checkbox>
        <Checkbox isSelected={images} onChange={setImages}>
          {words.images}
        </Checkbox>
      </Row>
      <PreviewFrame
        title={title}
        html={html}
        images={images}
        width={isNarrow ? 375 : undefined}
        dark={isDark ? "inverted" : undefined}
      />
    </Stack>
  )
}

const Text = ({ children }: { readonly children: string }) => (
  <pre className={styles.source} tabIndex={0}>
    <bdi>{children}</bdi>
  </pre>
)

const Raw = ({ id }: { readonly id: string }) => {
  const raw = useRead(["emails", id, "raw"], (api, options) => api.emails.content(id, { format: "raw" }, options))
  if (raw.error !== null) return <Problem error={raw.error} onRetry={() => void raw.refetch()} />
  if (raw.data === undefined) return <Bar height={240} />
  return (
    <Text>
      {raw.data instanceof Uint8Array ? new TextDecoder().decode(raw.data) : JSON.stringify(raw.data, null, 2)}
    </Text>
  )
}

export const MailContent = ({ mail, part }: { readonly mail: EmailDetail; readonly part: ContentPart }): ReactNode => {
  const words = mailWords()
  const content = useRead(["emails", mail.id, "content"], (api, options) => api.emails.content(mail.id, {}, options), {
    enabled: part !== "raw",
    staleTime: 60_000
  })
  if (part === "raw") return <Raw id={mail.id} />
  if (content.error !== null) return <Problem error={content.error} onRetry={() => void content.refetch()} />
  if (content.data === undefined || content.data instanceof Uint8Array) return <Bar height={240} />
  const { html, text, headers, purgedAt } = content.data
  if (purgedAt !== null) return <Empty about={words.noContent} />
  if (part === "headers") {
    return (
      <Facts
        facts={Object.entries(headers).map(([name, value]) => [name, <Foreign key={name}>{value}</Foreign>] as const)}
      />
    )
  }
  if (part === "text") return text === null ? <Empty about={words.noText} /> : <Text>{text}</Text>
  if (html === null) return <Empty about={words.noHtml} />
  return part === "source" ? <Text>{html}</Text> : <Preview title={mail.subject ?? words.noSubject} html={html} />
}
