/** What belongs to a piece itself and not to a version of it; and the form that makes one. */
import type { Partial as Piece } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Form } from "react-aria-components/Form"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useWrite } from "../../app/Queries.ts"
import own from "../../editor/editor.module.css"
import { Button, CopyText } from "../../kit/Button.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Bar, Facts, Pair, Problem } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Time } from "../../kit/Text.tsx"
import { templateWords } from "./words.ts"

const CodeEditor = lazy(async () => ({ default: (await import("../../editor/CodeEditor.tsx")).CodeEditor }))

const noFaults: ReadonlyArray<never> = []

export const PieceDetails = ({ piece }: { readonly piece: Piece | null }): ReactNode => {
  const words = templateWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const missing = useMissing(piece === null ? "partials.create" : "partials.update")
  const [fields, setFields] = useState({ name: piece?.name ?? "", description: piece?.description ?? "", body: "" })
  const { name, description, body } = fields
  const save = useWrite(
    (api) =>
      piece === null
        ? api.partials.create({ name, description: description || null, body })
        : api.partials.update(piece.id, { name, description: description || null }),
    {
      changes: ["partials"],
      onDone: ({ id }) => {
        notify(words.saved)
        if (piece !== null) return
        void navigate({ to: "/p/$projectId/templates/pieces/$pieceId", params: { projectId, pieceId: id } })
      }
    }
  )
  const faults = faultsOf(save.error, Object.keys(fields))
  const field = (id: "name" | "description") => ({
    name: id,
    value: fields[id],
    onChange: (value: string) => setFields({ ...fields, [id]: value })
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
      {piece === null && (
        <div className={own.codeFrame}>
          <Suspense fallback={<Bar height={320} />}>
            <CodeEditor
              label={words.pieceHtml}
              value={body}
              onChange={(next) => setFields((now) => ({ ...now, body: next }))}
              faults={save.error?.errors ?? noFaults}
            />
          </Suspense>
        </div>
      )}
      {faults.fields["body"] !== undefined && <span className={styles.fault}>{faults.fields["body"][0]}</span>}
      {faults.rest !== null && <Problem error={faults.rest} />}
      <div>
        <Button
          kind={piece === null ? "primary" : undefined}
          type="submit"
          missing={missing}
          isPending={save.isPending}
        >
          {words.save}
        </Button>
      </div>
      {piece !== null && (
        <Facts
          facts={[
            [words.id, <CopyText key="id" text={piece.id} name={words.id} />],
            [words.version, piece.version],
            [words.changed, <Time key="at" at={piece.updatedAt} />]
          ]}
        />
      )}
    </Form>
  )
}
