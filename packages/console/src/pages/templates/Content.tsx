/** The texts of a template, whose changes go to the draft. */
import type { Template } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { Form } from "react-aria-components/Form"
import { useApi } from "../../app/Queries.ts"
import { fieldsOf } from "../../editor/texts.ts"
import { Select, TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Bar, Pair } from "../../kit/Layout.tsx"
import { templateRoute } from "./routes.ts"
import type { Draft } from "./useDraft.ts"
import { templateWords } from "./words.ts"

const MailEditor = lazy(async () => ({ default: (await import("../../editor/MailEditor.tsx")).MailEditor }))

const ownFields = ["subject", "from", "fromName", "replyTo"]

export const Content = ({ template, draft }: { readonly template: Template; readonly draft: Draft }): ReactNode => {
  const words = templateWords()
  const api = useApi()
  const search = templateRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/templates/$templateId" })
  const { fields, change, problems } = draft
  const errors = Object.fromEntries(
    ownFields.map((name) => [name, problems.filter(({ field }) => field === name).map(({ message }) => message)])
  )
  const others = problems.filter(({ field }) => !ownFields.includes(field))
  const { subject, from, fromName, type } = fields
  return (
    <>
      <Form className={styles.stack ?? ""} validationErrors={errors} onSubmit={(event) => event.preventDefault()}>
        <TextField label={words.subject} name="subject" value={subject} onChange={(subject) => change({ subject })} />
        <Pair>
          <TextField label={words.from} name="from" value={from} onChange={(from) => change({ from })} />
          <TextField
            label={words.fromName}
            name="fromName"
            value={fromName ?? ""}
            onChange={(fromName) => change({ fromName })}
          />
          <TextField
            label={words.replyTo}
            name="replyTo"
            value={fields.replyTo ?? ""}
            onChange={(replyTo) => change({ replyTo })}
          />
          <Select
            label={words.type}
            choices={(["TRANSACTIONAL", "MARKETING", "HEADLESS"] as const).map((id) => ({ id, name: words.types[id] }))}
            value={type}
            onChange={(type) => change({ type })}
          />
        </Pair>
      </Form>
      <Suspense fallback={<Bar height={480} />}>
        <MailEditor
          value={fields}
          onChange={({ format, source, body, text }) => change({ format, source, body, text })}
          faults={others}
          preview={(texts, reader) =>
            api.templates.render(template.id, {
              ...(template.draft !== null && { version: "draft" as const }),
              ...fieldsOf(texts),
              ...(subject.trim() !== "" && { subject }),
              type,
              ...reader
            })
          }
          tab={search.tab}
          onTab={(tab) => void navigate({ search: { ...search, tab }, replace: true, resetScroll: false })}
        />
      </Suspense>
    </>
  )
}
