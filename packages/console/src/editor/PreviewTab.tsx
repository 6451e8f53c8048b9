/** The rendered mail, with its checks beside it. */
import { type ReactNode, useState } from "react"
import { Button } from "../kit/Button.tsx"
import { bytesText } from "../kit/bytes.ts"
import { Select, TextField } from "../kit/Field.tsx"
import { Card, Empty, Facts, Notice, Problem, Row, Stack } from "../kit/Layout.tsx"
import { PreviewFrame } from "../kit/PreviewFrame.tsx"
import { Foreign } from "../kit/Text.tsx"
import { ContactField } from "./ContactField.tsx"
import styles from "./editor.module.css"
import { offsetOfExample, offsetOfVariable } from "./places.ts"
import type { Reader, RenderedMail } from "./texts.ts"
import type { Preview } from "./usePreview.ts"
import { editorWords } from "./words.ts"

const choicesOf = <K extends string>(names: { readonly [key in K]: string }) =>
  (Object.keys(names) as Array<K>).map((id) => ({ id, name: names[id] }))

interface ChecksProps {
  readonly mail: RenderedMail
  readonly source: string
  readonly onPlace: (offset: number) => void
}

const Checks = ({ mail, source, onPlace }: ChecksProps) => {
  const words = editorWords()
  const { size, variables, warnings } = mail
  const place = (offset: number | null, what: string) =>
    offset !== null && (
      <Button kind="quiet" aria-label={words.show(what)} onPress={() => onPlace(offset)}>
        {words.showWord}
      </Button>
    )
  return (
    <Card title={words.checks}>
      <Stack>
        <Facts
          facts={[
            [words.subject, <Foreign key="subject">{mail.subject}</Foreign>],
            [words.size, words.sizeOf(bytesText(size.html), bytesText(size.clipAt))]
          ]}
        />
        {size.clipped && <Notice tone="warning">{words.clipped}</Notice>}
        {variables.missing.length > 0 && (
          <div>
            <h3>{words.missing}</h3>
            <ul className={styles.list}>
              {variables.missing.map((name) => (
                <li key={name}>
                  <code>
                    <Foreign>{name}</Foreign>
                  </code>{" "}
                  {place(offsetOfVariable(source, name), name)}
                </li>
              ))}
            </ul>
          </div>
        )}
        <div>
          <h3>{warnings.length === 0 ? words.noWarnings : words.warnings}</h3>
          <ul className={styles.list}>
            {warnings.map(({ code, message, example }) => (
              <li key={code}>
                <Foreign>{message}</Foreign> {place(offsetOfExample(source, example), message)}
                {example !== null && (
                  <code className={styles.example}>
                    <Foreign>{example}</Foreign>
                  </code>
                )}
              </li>
            ))}
          </ul>
        </div>
      </Stack>
    </Card>
  )
}

const dataOf = (json: string): Reader["data"] | null => {
  if (json.trim() === "") return undefined
  try {
    const data = JSON.parse(json)
    return typeof data === "object" && data !== null && !Array.isArray(data) ? data : null
  } catch {
    return null
  }
}

const Reading = ({ onReader }: { readonly onReader: (reader: Reader) => void }) => {
  const words = editorWords()
  const [email, setEmail] = useState("")
  const [json, setJson] = useState("")
  const data = dataOf(json)
  const change = (nextEmail: string, nextJson: string) => {
    setEmail(nextEmail)
    setJson(nextJson)
    const given = dataOf(nextJson)
    const address = /^\S+@\S+\.\S+$/.exec(nextEmail.trim())?.[0]
    onReader({ ...(address !== undefined && { email: address }), ...(given && { data: given }) })
  }
  return (
    <Card title={words.reader}>
      <Stack>
        <ContactField
          label={words.contact}
          help={words.contactHelp}
          value={email}
          onChange={(next) => change(next, json)}
        />
        <TextField
          label={words.data}
          rows={4}
          value={json}
          onChange={(next) => change(email, next)}
          isInvalid={data === null}
          help={data === null ? words.notJson : undefined}
        />
      </Stack>
    </Card>
  )
}

interface PreviewTabProps {
  readonly preview: Preview
  readonly source: string
  readonly onReader: (reader: Reader) => void
  /** Leads to a place of the source. */
  readonly onPlace: (offset: number) => void
}

export const PreviewTab = ({ preview: { mail, error }, source, onReader, onPlace }: PreviewTabProps): ReactNode => {
  const words = editorWords()
  const [width, setWidth] = useState<"640" | "375">("640")
  const [scheme, setScheme] = useState<"light" | "scheme" | "inverted">("light")
  const [part, setPart] = useState<"html" | "text">("html")
  return (
    <Stack>
      <Row>
        <Select label={words.width} choices={choicesOf(words.widths)} value={width} onChange={setWidth} />
        <Select label={words.colours} choices={choicesOf(words.schemes)} value={scheme} onChange={setScheme} />
        <Select label={words.part} choices={choicesOf(words.parts)} value={part} onChange={setPart} />
      </Row>
      {error !== null && <Problem error={error} />}
      <div className={styles.beside}>
        {mail === null ? (
          <Empty about={words.nothingYet} />
        ) : part === "text" ? (
          <pre className={styles.plain} tabIndex={0}>
            <bdi>{mail.text}</bdi>
          </pre>
        ) : mail.html === null ? (
          <Empty about={words.noHtml} />
        ) : (
          <PreviewFrame
            title={words.frame}
            html={mail.html}
            width={Number(width)}
            dark={scheme === "light" ? undefined : scheme}
          />
        )}
        <Stack>
          {mail !== null && <Checks mail={mail} source={source} onPlace={onPlace} />}
          <Reading onReader={onReader} />
        </Stack>
      </div>
    </Stack>
  )
}
