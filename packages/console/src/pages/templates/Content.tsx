/** The texts of a template, whose changes go to the draft. */
import type { Template } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { Form } from "react-aria-components/Form"
import { useApi } from "../../app/Queries.ts"
import { editorHeight, fieldsOf, type MailTexts, mjmlOf } from "../../editor/texts.ts"
import { Select, TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Bar, Pair } from "../../kit/Layout.tsx"
import { Languages } from "./Languages.tsx"
import { templateRoute } from "./routes.ts"
import { type Draft, type DraftFields, type Translation, translationsOf } from "./useDraft.ts"
import { templateWords } from "./words.ts"

const MailEditor = lazy(async () => ({ default: (await import("../../editor/MailEditor.tsx")).MailEditor }))
const Preheader = lazy(async () => ({ default: (await import("../../editor/Preheader.tsx")).Preheader }))

const ownFields = ["from", "fromName", "replyTo"]

/** All languages have the format of the template. */
const inMjml = ({ translations }: DraftFields): DraftFields["translations"] =>
  Object.fromEntries(
    Object.entries(translations).map(([tag, texts]) => [tag, { ...texts, source: texts.source ?? mjmlOf(texts.body) }])
  )

export const Content = ({ template, draft }: { readonly template: Template; readonly draft: Draft }): ReactNode => {
  const words = templateWords()
  const api = useApi()
  const search = templateRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/templates/$templateId" })
  const { fields, change, problems } = draft
  const { from, fromName, type, translations } = fields
  const language =
    search.language !== undefined && Object.hasOwn(translations, search.language) ? search.language : undefined
  const translation = language === undefined ? undefined : translations[language]
  const prefix = language === undefined ? "" : `translations.${language}.`
  const choose = (tag: string | undefined) =>
    void navigate({ search: { ...search, language: tag }, replace: true, resetScroll: false })

  const changeTranslation = (tag: string, texts: Partial<Translation>) => {
    const known = translations[tag]
    if (known !== undefined) change({ translations: { ...translations, [tag]: { ...known, ...texts } } })
  }
  const changeTexts = ({ format, source, body, text }: MailTexts) => {
    if (format === "MJML" && fields.format === "HTML") {
      return change({
        format,
        source: language === undefined ? source : mjmlOf(fields.body),
        translations: inMjml(fields)
      })
    }
    if (language === undefined) change({ format, source, body, text })
    else changeTranslation(language, { source, body, text })
  }
  const texts: MailTexts = translation === undefined ? fields : { ...translation, format: fields.format }
  const subject = translation?.subject ?? fields.subject
  const subjectField = `${prefix}subject`
  const errors = Object.fromEntries(
    [...ownFields, subjectField].map((name) => [
      name,
      problems.filter(({ field }) => field === name).map(({ message }) => message)
    ])
  )
  const others = problems.filter(({ field }) => ![...ownFields, subjectField].includes(field))
  return (
    <>
      <Languages
        base={fields.language}
        tags={Object.keys(translations)}
        chosen={language}
        onChoose={choose}
        onAdd={(tag) => {
          const { subject, source, body, text } = fields
          change({ translations: { ...translations, [tag]: { subject, source, body, text } } })
          choose(tag)
        }}
        onRemove={(tag) => {
          const { [tag]: _, ...rest } = translations
          change({ translations: rest })
          choose(undefined)
        }}
      />
      <Form className={styles.stack ?? ""} validationErrors={errors} onSubmit={(event) => event.preventDefault()}>
        <TextField
          label={words.subject}
          name={subjectField}
          value={subject}
          onChange={(next) =>
            language === undefined ? change({ subject: next }) : changeTranslation(language, { subject: next })
          }
        />
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
      {texts.format === "MJML" && (
        <Suspense fallback={<Bar height={72} />}>
          <Preheader value={texts} onChange={(source) => changeTexts({ ...texts, source })} />
        </Suspense>
      )}
      <Suspense fallback={<Bar height={editorHeight(texts.format)} />}>
        <MailEditor
          key={language ?? ""}
          value={texts}
          onChange={changeTexts}
          faults={others}
          faultPrefix={prefix}
          preview={(shown, reader) =>
            api.templates.render(template.id, {
              ...(template.draft !== null && { version: "draft" as const }),
              ...fieldsOf(language === undefined ? shown : fields),
              ...(fields.subject.trim() !== "" && { subject: fields.subject }),
              ...(language !== undefined && {
                locale: language,
                translations: translationsOf({
                  format: fields.format,
                  translations: { [language]: { subject, source: shown.source, body: shown.body, text: shown.text } }
                })
              }),
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
