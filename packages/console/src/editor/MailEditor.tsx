/** Writes the texts of a mail: as blocks, as code, as it will look, and its plain text part. */
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react"
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs"
import { TextField } from "../kit/Field.tsx"
import styles from "../kit/kit.module.css"
import { Bar } from "../kit/Layout.tsx"
import own from "./editor.module.css"
import { FaultList } from "./FaultList.tsx"
import { PreviewTab } from "./PreviewTab.tsx"
import { offsetOfLine } from "./places.ts"
import { type EditorTab, editorTabs } from "./tabs.ts"
import {
  type Fault,
  type Goal,
  type MailTexts,
  type Reader,
  type RenderTexts,
  withWritten,
  writtenOf
} from "./texts.ts"
import { usePieces } from "./usePieces.ts"
import { usePreview } from "./usePreview.ts"
import { editorWords } from "./words.ts"

const BlockEditor = lazy(async () => ({ default: (await import("./blocks/BlockEditor.tsx")).BlockEditor }))
const Convert = lazy(async () => ({ default: (await import("./blocks/Convert.tsx")).Convert }))
const CodeEditor = lazy(async () => ({ default: (await import("./CodeEditor.tsx")).CodeEditor }))

interface MailEditorProps {
  readonly value: MailTexts
  readonly onChange: (value: MailTexts) => void
  /** Faults that the API named in the texts. Those of `body` and `source` with a line stand at it. */
  readonly faults?: ReadonlyArray<Fault> | undefined
  /** What stands before `body` and `source` in the fields of faults: `translations.de.`. */
  readonly faultPrefix?: string | undefined
  /** Renders unsaved texts: `api.templates.render` or `renderTexts`. */
  readonly preview: RenderTexts
  /** The open tab, for the URL. Without it the editor keeps it. */
  readonly tab?: EditorTab | undefined
  readonly onTab?: ((tab: EditorTab) => void) | undefined
}

const none: ReadonlyArray<Fault> = []

export const MailEditor = (props: MailEditorProps): ReactNode => {
  const { value, onChange, faults = none, faultPrefix = "", preview: render } = props
  const words = editorWords()
  const [kept, setKept] = useState<EditorTab>(value.format === "MJML" ? "blocks" : "code")
  const [reader, setReader] = useState<Reader>({})
  const tab = props.tab ?? kept
  const preview = usePreview(value, reader, render, tab !== "blocks")
  const ownFaults = useMemo(
    () => faults.filter(({ field }) => field === `${faultPrefix}source` || field === `${faultPrefix}body`),
    [faults, faultPrefix]
  )
  const pieces = usePieces().data?.data.map(({ name }) => name) ?? []
  const [goal, setGoal] = useState<Goal>()
  const open = (key: EditorTab) => {
    setKept(key)
    props.onTab?.(key)
  }
  /** Leads to a place of the source: to its block, or to its line in the code. */
  const show = (offset: number, to: "blocks" | "code") => {
    setGoal({ offset })
    open(to)
  }
  const write = (written: string) => onChange(withWritten(value, written))
  return (
    <div className={styles.stack}>
      <FaultList
        faults={faults}
        ownFaults={ownFaults}
        onLine={(line) => show(offsetOfLine(writtenOf(value), line), "code")}
      />
      <Tabs selectedKey={tab} onSelectionChange={(key) => open(key as EditorTab)}>
        <TabList aria-label={words.views} className={styles.tabs ?? ""}>
          {editorTabs.map((id) => (
            <Tab key={id} id={id} className={styles.tab ?? ""}>
              {words.tabs[id]}
            </Tab>
          ))}
        </TabList>
        <TabPanel id="blocks" className={styles.tabPanel ?? ""}>
          <Suspense fallback={<Bar height={420} />}>
            {value.format === "MJML" ? (
              <BlockEditor value={value} onChange={onChange} preview={render} goal={goal} />
            ) : (
              <Convert value={value} onChange={onChange} />
            )}
          </Suspense>
        </TabPanel>
        <TabPanel id="code" className={styles.tabPanel ?? ""}>
          <p className={styles.help}>{words.keys}</p>
          <div className={own.codeFrame}>
            <Suspense fallback={<Bar height={420} />}>
              <CodeEditor
                label={words.code[value.format]}
                value={writtenOf(value)}
                onChange={write}
                faults={ownFaults}
                goal={goal}
                variables={preview.mail?.variables.used ?? []}
                pieces={pieces}
              />
            </Suspense>
          </div>
        </TabPanel>
        <TabPanel id="preview" className={styles.tabPanel ?? ""}>
          <PreviewTab
            preview={preview}
            source={writtenOf(value)}
            onReader={setReader}
            onPlace={(offset) => show(offset, value.format === "MJML" ? "blocks" : "code")}
          />
        </TabPanel>
        <TabPanel id="text" className={styles.tabPanel ?? ""}>
          <TextField
            label={words.plainText}
            help={words.plainTextHelp}
            rows={16}
            value={value.text ?? ""}
            onChange={(text) => onChange({ ...value, text: text === "" ? null : text })}
          />
        </TabPanel>
      </Tabs>
    </div>
  )
}
