/** A button that writes rows to a file, and shows how much has come. */
import type { PosthornError } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Button } from "../kit/Button.tsx"
import { bytesText } from "../kit/bytes.ts"
import { download } from "../kit/download.ts"
import { Problem, Row } from "../kit/Layout.tsx"
import { useMissing } from "./Permission.ts"
import { useApi } from "./Queries.ts"

interface ExportButtonProps {
  readonly operation: Parameters<typeof useMissing>[0]
  readonly file: string
  readonly rows: (api: ReturnType<typeof useApi>) => Parameters<typeof download>[2]
  readonly words: { readonly export: string; readonly exporting: (size: string) => string }
  /** Stands in one line with the button. */
  readonly beside?: ReactNode
}

export const ExportButton = ({ operation, file, rows, words, beside }: ExportButtonProps): ReactNode => {
  const api = useApi()
  const missing = useMissing(operation)
  const [bytes, setBytes] = useState(0)
  const run = useMutation<void, PosthornError>({ mutationFn: () => download(file, "text/csv", rows(api), setBytes) })
  const button = (
    <Button missing={missing} isPending={run.isPending} onPress={() => run.mutate()}>
      {run.isPending ? words.exporting(bytesText(bytes)) : words.export}
    </Button>
  )
  return (
    <>
      {beside === undefined ? (
        button
      ) : (
        <Row>
          {button}
          {beside}
        </Row>
      )}
      {run.error !== null && <Problem error={run.error} />}
    </>
  )
}
