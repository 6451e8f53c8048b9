/** The parts of the import page. */
import type { ImportSummary } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { DataTable } from "../../kit/DataTable.tsx"
import { Select, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Card, Notice, Row, Stack } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import type { CsvFile } from "./CsvFile.ts"
import styles from "./contacts.module.css"
import { FaultyCsv } from "./FaultyCsv.tsx"
import type { FaultyRow } from "./ImportRun.ts"
import { importWords } from "./importWords.ts"
import { fixedTargets, type KnownTopic, type Target } from "./Targets.ts"

export const steps = ["file", "columns", "options", "check"] as const
export type Step = (typeof steps)[number]

export const StepList = ({ current }: { readonly current: Step }): ReactNode => {
  const words = importWords()
  return (
    <ol className={styles.steps} aria-label={words.steps}>
      {steps.map((step) => (
        <li key={step} {...(step === current && { "aria-current": "step" as const })}>
          {words.names[step]}
        </li>
      ))}
    </ol>
  )
}

export const FileField = ({
  fault,
  onChoose
}: {
  readonly fault: string | undefined
  readonly onChoose: (file: File) => void
}): ReactNode => {
  const words = importWords()
  return (
    <div className={kit.field}>
      <label htmlFor="import-file" className={kit.label}>
        {words.file}
      </label>
      <input
        id="import-file"
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        className={kit.input}
        aria-describedby="import-file-about"
        aria-invalid={fault !== undefined}
        onChange={({ target }) => target.files?.[0] !== undefined && onChoose(target.files[0])}
      />
      <span id="import-file-about" className={fault === undefined ? kit.help : kit.fault} role="status">
        {fault ?? words.fileHelp}
      </span>
    </div>
  )
}

const Preview = ({ csv }: { readonly csv: CsvFile }) => {
  const words = importWords()
  return (
    <section className={styles.preview} aria-label={words.preview} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {csv.columns.map((name, index) => (
              <th key={index} scope="col">
                <Foreign>{name}</Foreign>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {csv.rows.map((row, line) => (
            <tr key={line}>
              {csv.columns.map((_, index) => (
                <td key={index}>
                  <Foreign>{row[index]?.slice(0, 200)}</Foreign>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface ColumnsProps {
  readonly csv: CsvFile
  readonly topics: ReadonlyArray<KnownTopic>
  readonly targets: ReadonlyArray<Target>
  readonly onChange: (targets: ReadonlyArray<Target>) => void
}

export const Columns = ({ csv, topics, targets, onChange }: ColumnsProps): ReactNode => {
  const words = importWords()
  const change = (index: number, target: Target) => onChange(targets.map((each, at) => (at === index ? target : each)))
  return (
    <Stack>
      <div className={styles.columns}>
        {csv.columns.map((column, index) => {
          const target = targets[index] ?? { to: "skip", key: column }
          return (
            <div key={index} className={styles.column}>
              <div>
                <strong>
                  <Foreign>{column || "–"}</Foreign>
                </strong>
                <div className={styles.quiet}>
                  <Foreign>
                    {csv.rows
                      .slice(0, 3)
                      .map((row) => row[index]?.slice(0, 60) ?? "")
                      .join(", ")}
                  </Foreign>
                </div>
              </div>
              <Select
                label={words.target(column)}
                isLabelHidden
                value={target.to}
                choices={(
                  ["skip", ...fixedTargets, ...(topics.length > 0 ? ["topic" as const] : []), "data"] as const
                ).map((id) => ({ id, name: words.targets[id] }))}
                onChange={(to) => change(index, { to, key: to === "topic" ? (topics[0]?.key ?? "") : column })}
              />
              {target.to === "topic" && (
                <Select
                  label={words.topic(column)}
                  isLabelHidden
                  value={target.key}
                  choices={topics.map(({ key, name }) => ({ id: key, name }))}
                  onChange={(key) => change(index, { ...target, key })}
                />
              )}
              {target.to === "data" && (
                <TextField
                  label={<span className="visually-hidden">{words.key(column)}</span>}
                  value={target.key}
                  onChange={(key) => change(index, { ...target, key })}
                />
              )}
            </div>
          )
        })}
      </div>
      <Preview csv={csv} />
    </Stack>
  )
}

export const Faulty = ({
  rows,
  count,
  parts,
  linesBefore
}: {
  readonly rows: ReadonlyArray<FaultyRow>
  readonly count: number
  readonly parts: ReadonlyArray<ImportSummary>
  readonly linesBefore: (jobId: string) => number
}): ReactNode => {
  const words = importWords()
  if (rows.length === 0) return null
  return (
    <Card title={words.faulty}>
      <p>{words.faultyAbout}</p>
      {rows.length < count && <Notice>{words.more}</Notice>}
      <Row>
        <FaultyCsv parts={parts} linesBefore={linesBefore} />
      </Row>
      <DataTable
        label={words.faulty}
        rows={rows}
        total={count}
        rowName={({ line, email }) => `${line} ${email}`}
        columns={[
          { id: "email", name: words.address, cell: ({ email }) => <Foreign>{email}</Foreign> },
          { id: "line", name: words.line, isFit: true, cell: ({ line }) => line },
          { id: "fault", name: words.fault, cell: ({ error }) => <Foreign>{error}</Foreign> }
        ]}
      />
    </Card>
  )
}
