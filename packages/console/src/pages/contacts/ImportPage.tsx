import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useRef, useState } from "react"
import { useList } from "../../app/Lists.ts"
import { Page } from "../../app/Page.tsx"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useRead } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import { Bar, Notice, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { numberText, Time } from "../../kit/Text.tsx"
import { type CsvFile, openCsv } from "./CsvFile.ts"
import { evidenceOf, ImportConsentFields, noConsent, optInRule } from "./ImportConsent.tsx"
import { useImport, useSend } from "./ImportRun.ts"
import { Columns, Faulty, FileField, type Step, StepList, steps } from "./ImportSteps.tsx"
import { importWords } from "./importWords.ts"
import { importRoute } from "./routes.ts"
import { guess, lackOf, mappingOf, type ProjectConsent, type Target } from "./Targets.ts"

const Progress = lazy(async () => ({ default: (await import("../../kit/Progress.tsx")).Progress }))
const ImportResult = lazy(async () => ({ default: (await import("./ImportResult.tsx")).ImportResult }))

/** Imports of the last 30 days that changed contacts. */
const Earlier = () => {
  const words = importWords()
  const projectId = useProjectId()
  const list = useList(["imports", "earlier"], (api, position, options) =>
    api.contacts.imports({ limit: 20, ...position }, options)
  )
  const rows = list.rows.filter(({ dryRun, groupId }) => !dryRun && groupId !== null)
  if (list.error !== null) return <Problem error={list.error} onRetry={list.retry} />
  if (list.isLoading) return <Bar height={96} />
  if (rows.length === 0) return null
  return (
    <Stack>
      <h2>{words.earlier}</h2>
      <DataTable
        label={words.earlier}
        rows={rows}
        hasMore={list.hasMore}
        isLoadingMore={list.isLoadingMore}
        onMore={list.more}
        rowName={({ createdAt }) => createdAt}
        columns={[
          {
            id: "started",
            name: words.started,
            cell: ({ createdAt, groupId }) => (
              <Link to="/p/$projectId/contacts/import" params={{ projectId }} search={{ group: groupId ?? "" }}>
                <Time at={createdAt} />
              </Link>
            )
          },
          { id: "state", name: words.state, isFit: true, cell: ({ state }) => words.states[state] },
          {
            id: "rows",
            name: words.result,
            isNumber: true,
            cell: ({ result }) => numberText(result?.totalRows ?? 0)
          }
        ]}
      />
    </Stack>
  )
}

const Check = ({ groupId }: { readonly groupId: string }) => {
  const words = importWords()
  const { counts, isFinished, progress, perSecond, faulty, parts, linesBefore, error, retry } = useImport(groupId)
  const failed = parts.find(({ state }) => state === "failed")
  return (
    <Stack>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {failed !== undefined && <Notice tone="warning">{failed.failedReason}</Notice>}
      {isFinished ? (
        <p role="status">
          <strong>
            {words.checked(counts.created, counts.changed, counts.faulty)}
            {counts.asked > 0 && words.asked(counts.asked)}
          </strong>
        </p>
      ) : (
        error === null && (
          <Suspense fallback={<Bar height={32} />}>
            <Progress label={words.checking} value={progress} text={words.rows(counts.rows, perSecond)} />
          </Suspense>
        )
      )}
      {isFinished && <Faulty rows={faulty} count={counts.faulty} parts={parts} linesBefore={linesBefore} />}
    </Stack>
  )
}

const Wizard = () => {
  const words = importWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const api = useApi()
  const send = useSend()
  const [step, setStep] = useState<Step>("file")
  const [csv, setCsv] = useState<CsvFile>()
  const [fault, setFault] = useState<string>()
  const [targets, setTargets] = useState<ReadonlyArray<Target>>([])
  const [project, setProject] = useState<ProjectConsent>({ mode: undefined, topics: [] })
  const [segmentId, setSegmentId] = useState<string | null>(null)
  const [consent, setConsent] = useState(noConsent)
  const [checkId, setCheckId] = useState<string>()
  const check = useImport(checkId)
  const segments = useRead(["segments", "choices"], (api, options) => api.segments.list(options), {
    enabled: step === "options"
  })
  const rule = optInRule(targets, project)
  const statics = (segments.data ?? []).filter(({ type }) => type === "STATIC").map(({ id, name }) => ({ id, name }))

  /** The file that was chosen, while it is opened. */
  const opening = useRef<Promise<CsvFile | undefined>>(Promise.resolve(undefined))

  const open = async (file: File): Promise<CsvFile | undefined> => {
    setCsv(undefined)
    setFault(undefined)
    try {
      const [opened, found, settings] = await Promise.all([openCsv(file), api.topics.list({}), api.settings.audience()])
      const topics = found.data ?? []
      if (opened === null) {
        setFault(words.noRows)
        return
      }
      setCsv(opened)
      setProject({ mode: settings.data?.doubleOptIn.mode, topics })
      setTargets(guess(opened.columns, topics))
      return opened
    } catch {
      setFault(words.unreadable)
    }
  }
  const start = (file: CsvFile, dryRun: boolean): string => {
    const groupId = crypto.randomUUID()
    void send({
      ...{ file: file.file, groupId, segmentId, dryRun },
      mapping: mappingOf(file.columns, targets),
      doubleOptIn: rule.isAsked ? consent.doubleOptIn : null,
      consent: evidenceOf(consent)
    })
    return groupId
  }
  const next = async () => {
    const csv = await opening.current
    if (csv === undefined) return setFault((known) => known ?? words.chooseFile)
    if (step === "columns") {
      const lack = lackOf(targets)
      if (lack !== null) return setFault(words[lack])
    }
    if (step === "options" && rule.isNeeded && consent.doubleOptIn === null) return setFault(words.consent.needed)
    setFault(undefined)
    if (step === "options") setCheckId(start(csv, true))
    setStep(steps[steps.indexOf(step) + 1] ?? "check")
  }
  const run = () => {
    if (csv === undefined) return
    void navigate({
      to: "/p/$projectId/contacts/import",
      params: { projectId },
      search: { group: start(csv, false) }
    })
  }
  const back = () => {
    setFault(undefined)
    setStep(steps[steps.indexOf(step) - 1] ?? "file")
  }
  return (
    <Stack>
      <StepList current={step} />
      {step === "file" && (
        <FileField
          fault={fault}
          onChoose={(file) => {
            opening.current = open(file)
          }}
        />
      )}
      {step === "columns" && csv !== undefined && (
        <>
          <Columns csv={csv} topics={project.topics} targets={targets} onChange={setTargets} />
          {fault !== undefined && (
            <div role="alert">
              <Notice tone="warning">{fault}</Notice>
            </div>
          )}
        </>
      )}
      {step === "options" && (
        <>
          {segments.error !== null && <Problem error={segments.error} />}
          <Select
            label={words.segment}
            help={words.segmentHelp}
            value={segmentId ?? ""}
            choices={[{ id: "", name: words.noSegment }, ...statics]}
            onChange={(id) => setSegmentId(id || null)}
          />
          <ImportConsentFields value={consent} onChange={setConsent} rule={rule} fault={fault} />
        </>
      )}
      {step === "check" && checkId !== undefined && <Check groupId={checkId} />}
      <Row>
        {step !== "file" && <Button onPress={back}>{words.back}</Button>}
        {step !== "check" && (
          <Button kind="primary" onPress={() => void next()}>
            {words.next}
          </Button>
        )}
        {step === "check" && check.isFinished && (
          <Button kind="primary" onPress={run}>
            {words.import}
          </Button>
        )}
      </Row>
      {step === "file" && <Earlier />}
    </Stack>
  )
}

export const ImportPage = (): ReactNode => {
  const words = importWords()
  const projectId = useProjectId()
  const { group } = importRoute.useSearch()
  return (
    <Page
      title={words.title}
      back={{ name: words.contacts, link: { to: "/p/$projectId/contacts", params: { projectId } } }}
    >
      {group === undefined ? (
        <Wizard />
      ) : (
        <Suspense fallback={<Bar height={96} />}>
          <ImportResult key={group} groupId={group} />
        </Suspense>
      )}
    </Page>
  )
}
