import type { Form } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { apiUrl } from "../../app/Api.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button, CopyButton, CopyText } from "../../kit/Button.tsx"
import { buttonClass } from "../../kit/buttonClass.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import kit from "../../kit/kit.module.css"
import { Answer, Bar, Card, Facts, Notice, Problem, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { SaveForm } from "../../kit/SaveForm.tsx"
import { Count, Foreign, Time } from "../../kit/Text.tsx"
import { bodyOf, draftOf, namesOf } from "./draft.ts"
import { FormEffects } from "./FormEffects.tsx"
import { FormFields } from "./FormFields.tsx"
import { FormPreview } from "./FormPreview.tsx"
import { FormState } from "./FormState.tsx"
import { FormLanguages, FormTexts } from "./FormTexts.tsx"
import styles from "./forms.module.css"
import { formRoute } from "./routes.ts"
import { formWords } from "./words.ts"

const Editor = ({ form }: { readonly form: Form }) => {
  const words = formWords()
  const missing = useMissing("forms.update")
  const [draft, setDraft] = useState(draftOf(form))
  const body = bodyOf(draft)
  const save = useWrite((api) => api.forms.update(form.id, body), {
    changes: ["forms"],
    onDone: () => notify(words.saved)
  })
  const faults = faultsOf(save.error, namesOf(draft))
  const part = { draft, set: (change: Partial<typeof draft>) => setDraft((last) => ({ ...last, ...change })) }
  return (
    <div className={styles.columns}>
      <SaveForm
        faults={faults}
        missing={missing}
        onSave={() => save.mutate()}
        isPending={save.isPending}
        save={words.save}
        code={<ShowCode call={{ operation: "forms.update", path: [form.id], body }} />}
        isBlocking={false}
      >
        <FormTexts {...part} />
        <FormFields {...part} />
        <FormEffects {...part} />
        <FormLanguages {...part} />
      </SaveForm>
      <div className={styles.side}>
        <FormPreview draft={draft} />
      </div>
    </div>
  )
}

const Snippet = ({ id }: { readonly id: string }) => {
  const words = formWords()
  const snippet = useRead(["forms", id, "snippet"], (api, options) => api.forms.snippet(id, options))
  return (
    <Card title={words.snippet}>
      <Answer of={snippet} height={240}>
        {({ html, script }) => (
          <Stack>
            {(
              [
                [words.script, words.scriptAbout, script],
                [words.html, words.htmlAbout, html]
              ] as const
            ).map(([name, about, code]) => (
              <section key={name} aria-label={name}>
                <h3>{name}</h3>
                <p className={kit.help}>{about}</p>
                <pre className={`${kit.code} ${styles.snippet}`} tabIndex={0}>
                  <code>
                    <Foreign>{code}</Foreign>
                  </code>
                  <span className={kit.codeCopy}>
                    <CopyButton text={code} name={name} />
                  </span>
                </pre>
              </section>
            ))}
          </Stack>
        )}
      </Answer>
    </Card>
  )
}

const useChanges = (form: Form) => {
  const words = formWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const enable = useWrite((api, enabled: boolean) => api.forms.update(form.id, { enabled }), {
    changes: ["forms"],
    onDone: (_, enabled) =>
      notify(enabled ? words.enabledNow(form.name) : words.disabledNow(form.name), () => enable.mutate(!enabled))
  })
  const remove = useWrite((api) => api.forms.remove(form.id), {
    changes: ["forms"],
    onDone: async () => {
      notify(words.deleted(form.name))
      await navigate({ to: "/p/$projectId/forms", params: { projectId } })
    }
  })
  return { enable, remove, error: enable.error ?? remove.error }
}

const Loaded = ({ form }: { readonly form: Form }) => {
  const words = formWords()
  const projectId = useProjectId()
  const missing = useMissing("forms.update")
  const [isDeleting, setDeleting] = useState(false)
  const { enable, remove, error } = useChanges(form)
  return (
    <Page
      title={form.name}
      heading={<Foreign>{form.name}</Foreign>}
      back={{ name: words.title, link: { to: "/p/$projectId/forms", params: { projectId } } }}
      actions={
        <>
          {form.enabled && (
            <a
              href={apiUrl(`/f/${form.publicId}`)}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonClass("plain")}
            >
              {words.open}
            </a>
          )}
          <Button missing={missing} isPending={enable.isPending} onPress={() => enable.mutate(!form.enabled)}>
            {form.enabled ? words.disable : words.enable}
          </Button>
          <Button missing={missing} onPress={() => setDeleting(true)}>
            {words.delete}
          </Button>
          <ShowCode call={{ operation: "forms.get", path: [form.id] }} />
        </>
      }
    >
      {error !== null && <Problem error={error} />}
      {!form.enabled && <Notice tone="warning">{words.isDisabled}</Notice>}
      <Card title={words.facts}>
        <Facts
          facts={[
            [words.state, <FormState key="state" enabled={form.enabled} />],
            [words.submissions, <Count key="submissions" value={form.submissionCount} />],
            [words.confirmed, <Count key="confirmed" value={form.confirmedCount} />],
            [words.spam, <Count key="spam" value={form.spamCount} />],
            [words.events, <CopyText key="event" text={`form.${form.key}.submitted`} name={words.events} />],
            [words.created, <Time key="created" at={form.createdAt} />],
            [words.id, <CopyText key="id" text={form.id} name={words.id} />]
          ]}
        />
      </Card>
      <Editor key={form.id} form={form} />
      <Snippet id={form.id} />
      <ConfirmDialog
        title={`${words.delete} ${form.name}`}
        action={words.delete}
        isDanger
        isOpen={isDeleting}
        onOpenChange={setDeleting}
        onConfirm={() => remove.mutate()}
      >
        <p>{words.deleteAbout}</p>
      </ConfirmDialog>
    </Page>
  )
}

export const FormPage = (): ReactNode => {
  const words = formWords()
  const projectId = useProjectId()
  const { formId } = formRoute.useParams()
  const form = useRead(["forms", formId], (api, options) => api.forms.get(formId, options), { every: 15_000 })
  if (form.data !== undefined) return <Loaded form={form.data} />
  return (
    <Page title={words.title} back={{ name: words.title, link: { to: "/p/$projectId/forms", params: { projectId } } }}>
      {form.error === null ? <Bar height={640} /> : <Problem error={form.error} onRetry={() => void form.refetch()} />}
    </Page>
  )
}
