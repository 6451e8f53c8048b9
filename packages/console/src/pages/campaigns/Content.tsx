/** The first step: who writes, what about, and the mail. */
import { lazy, type ReactNode, Suspense, useCallback, useId } from "react"
import { useProject } from "../../app/Project.tsx"
import { useApi, useRead } from "../../app/Queries.ts"
import { editorHeight, fieldsOf, type RenderTexts } from "../../editor/texts.ts"
import type { FormFaults } from "../../kit/Faults.ts"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import { Bar, Card, Pair, Stack } from "../../kit/Layout.tsx"
import { withFormat } from "./draft.ts"
import { composeRoute } from "./routes.ts"
import type { DraftState } from "./useDraft.ts"
import { campaignWords } from "./words.ts"

const MailEditor = lazy(async () => ({ default: (await import("../../editor/MailEditor.tsx")).MailEditor }))

const Preheader = lazy(async () => ({ default: (await import("../../editor/Preheader.tsx")).Preheader }))

const isOfText = (field: string) => /^(?:body|source|text)\b/.test(field)

interface ContentProps {
  readonly state: DraftState
  readonly faults: FormFaults["fields"]
  readonly layout: string | null
}

export const Content = ({ state, faults, layout }: ContentProps): ReactNode => {
  const words = campaignWords()
  const { draft, change, error } = state
  const { subject, type } = draft
  const { id } = useProject()
  const api = useApi()
  const list = useId()
  const { tab } = composeRoute.useSearch()
  const navigate = composeRoute.useNavigate()
  const domains = useRead(["domains"], (client, options) => client.domains.list(id, options))
  const fault = (name: string) => faults[name] !== undefined && { isInvalid: true, help: faults[name].join(" ") }
  const field = (name: "name" | "subject" | "preheader" | "from" | "fromName" | "replyTo") => ({
    name,
    value: draft[name],
    onChange: (value: string) => change({ [name]: value }),
    ...fault(name)
  })
  const render: RenderTexts = useCallback(
    (texts, reader) =>
      api.templates.renderTexts({
        ...fieldsOf(texts),
        ...reader,
        type,
        ...(subject.trim() !== "" && { subject }),
        ...(layout !== null && { layout })
      }),
    [api, subject, type, layout]
  )
  return (
    <Card title={words.content}>
      <Stack>
        <Pair>
          <TextField label={words.name} isRequired {...field("name")} />
          <Select
            label={words.type}
            value={draft.type}
            choices={(["MARKETING", "HEADLESS", "TRANSACTIONAL"] as const).map((each) => ({
              id: each,
              name: words.types[each]
            }))}
            onChange={(chosen) => change({ type: chosen })}
          />
          <Select
            label={words.format}
            value={draft.format}
            choices={(["HTML", "MJML"] as const).map((each) => ({ id: each, name: words.formats[each] }))}
            onChange={(format) => change(withFormat(draft, format))}
          />
        </Pair>
        <Pair>
          <TextField label={words.from} type="email" isRequired list={list} {...field("from")} />
          <TextField label={words.fromName} {...field("fromName")} />
          <TextField label={words.replyTo} type="email" {...field("replyTo")} />
        </Pair>
        <datalist id={list}>
          {(domains.data ?? []).flatMap(({ verified, domain }) =>
            verified ? [<option key={domain} value={`hello@${domain}`} />] : []
          )}
        </datalist>
        <TextField label={words.subject} isRequired help={words.subjectHelp} {...field("subject")} />
        {draft.format === "HTML" && (
          <TextField label={words.preheader} help={words.preheaderHelp} {...field("preheader")} />
        )}
        {draft.type === "MARKETING" && (
          <Checkbox isSelected={draft.archive} onChange={(archive) => change({ archive })}>
            {words.archive}
          </Checkbox>
        )}
        {draft.format === "MJML" && (
          <Suspense fallback={<Bar height={72} />}>
            <Preheader value={draft} onChange={(source) => change({ source })} />
          </Suspense>
        )}
        <Suspense fallback={<Bar height={editorHeight(draft.format)} />}>
          <MailEditor
            value={draft}
            onChange={({ format, source, body, text }) => change({ format, source, body, text })}
            faults={error?.errors.filter((each) => isOfText(each.field))}
            preview={render}
            tab={tab}
            onTab={(chosen) =>
              void navigate({
                search: { tab: chosen === "code" ? undefined : chosen },
                replace: true,
                resetScroll: false
              })
            }
          />
        </Suspense>
      </Stack>
    </Card>
  )
}
