import type { Partial as Piece } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Form } from "react-aria-components/Form"
import { Page } from "../../app/Page.tsx"
import { useMissingRole } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget, useRead, useWrite } from "../../app/Queries.ts"
import own from "../../editor/editor.module.css"
import { Button } from "../../kit/Button.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Bar, Card, Empty, Pair, Problem } from "../../kit/Layout.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { holdBack, notify } from "../../kit/notices.ts"
import { Foreign } from "../../kit/Text.tsx"
import { pieceRoute } from "./routes.ts"
import { templateWords } from "./words.ts"

const CodeEditor = lazy(async () => ({ default: (await import("../../editor/CodeEditor.tsx")).CodeEditor }))

const Use = ({ id }: { readonly id: string }) => {
  const words = templateWords()
  const usage = useRead(["partials", id, "usage"], (api, options) => api.partials.usage(id, options))
  if (usage.data === undefined) return usage.error === null ? <Bar height={40} /> : <Problem error={usage.error} />
  const all = [...usage.data.templates, ...usage.data.partials, ...usage.data.campaigns]
  if (all.length === 0) return <Empty about={words.notUsed} />
  return (
    <>
      <p>{words.usedBy(all.length)}</p>
      <ul className={own.list}>
        {all.map(({ id, name }) => (
          <li key={id}>
            <Foreign>{name}</Foreign>
          </li>
        ))}
      </ul>
    </>
  )
}

const PieceForm = ({ piece }: { readonly piece: Piece | null }) => {
  const words = templateWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const missing = useMissingRole(piece === null ? "partials.create" : "partials.update")
  const [fields, setFields] = useState({
    name: piece?.name ?? "",
    description: piece?.description ?? "",
    body: piece?.body ?? "",
    text: piece?.text ?? ""
  })
  const save = useWrite(
    (api) => {
      const body = { ...fields, description: fields.description || null, text: fields.text || null }
      return piece === null ? api.partials.create(body) : api.partials.update(piece.id, body)
    },
    {
      changes: ["partials"],
      onDone: ({ id }) => {
        notify(words.saved)
        void navigate({ to: "/p/$projectId/templates/pieces/$pieceId", params: { projectId, pieceId: id } })
      }
    }
  )
  const faults = faultsOf(save.error, Object.keys(fields))
  const field = (name: "name" | "description" | "text") => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value })
  })
  return (
    <Form
      className={styles.stack ?? ""}
      validationErrors={faults.fields}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Pair>
        <TextField label={words.pieceName} help={words.pieceNameHelp} isRequired {...field("name")} />
        <TextField label={words.description} {...field("description")} />
      </Pair>
      <div className={own.codeFrame}>
        <Suspense fallback={<Bar height={320} />}>
          <CodeEditor
            label={words.pieceHtml}
            value={fields.body}
            onChange={(body) => setFields((now) => ({ ...now, body }))}
            faults={save.error?.errors ?? noFaults}
          />
        </Suspense>
      </div>
      {faults.fields["body"] !== undefined && <span className={styles.fault}>{faults.fields["body"][0]}</span>}
      <TextField label={words.pieceText} help={words.pieceTextHelp} rows={4} {...field("text")} />
      {faults.rest !== null && <Problem error={faults.rest} />}
      <div>
        <Button kind="primary" type="submit" missing={missing} isPending={save.isPending}>
          {words.save}
        </Button>
      </div>
    </Form>
  )
}

const noFaults: ReadonlyArray<never> = []

export const PiecePage = (): ReactNode => {
  const words = templateWords()
  const projectId = useProjectId()
  const api = useApi()
  const forget = useForget()
  const navigate = useNavigate()
  const { pieceId } = pieceRoute.useParams()
  const isNew = pieceId === "new"
  const piece = useRead(["partials", pieceId], (api, options) => api.partials.get(pieceId, options), {
    enabled: !isNew
  })
  const list = { to: "/p/$projectId/templates/pieces", params: { projectId } } as const
  const remove = async () => {
    const { error } = await api.partials.delete(pieceId)
    if (error !== null) notify(error.message)
    await forget("partials")
  }
  const title = isNew ? words.newPiece : (piece.data?.name ?? words.pieces)
  return (
    <Page
      title={title}
      heading={<Foreign>{title}</Foreign>}
      back={{ name: words.pieces, link: list }}
      actions={
        isNew ? undefined : (
          <Menu
            actions={[
              {
                id: "delete",
                name: words.delete,
                onAction: () => {
                  holdBack(words.deleted(title), () => void remove())
                  void navigate(list)
                }
              }
            ]}
          />
        )
      }
    >
      {piece.error !== null && !isNew ? (
        <Problem error={piece.error} onRetry={() => void piece.refetch()} />
      ) : isNew || piece.data !== undefined ? (
        <PieceForm key={pieceId} piece={piece.data ?? null} />
      ) : (
        <Bar height={480} />
      )}
      {!isNew && (
        <Card title={words.use}>
          <Use id={pieceId} />
        </Card>
      )}
    </Page>
  )
}
