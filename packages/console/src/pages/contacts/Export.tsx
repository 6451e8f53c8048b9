/** Writes the contacts that are shown to a file. */
import type { PosthornError, QueryContacts } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useApi } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { bytesText } from "../../kit/bytes.ts"
import { download } from "../../kit/download.ts"
import { Problem } from "../../kit/Layout.tsx"
import { selectOf } from "./filters.ts"
import { contactWords } from "./words.ts"

export const Export = ({ query }: { readonly query: QueryContacts }): ReactNode => {
  const words = contactWords()
  const api = useApi()
  const missing = useMissing("contacts.exportSelected")
  const [bytes, setBytes] = useState(0)
  const { all, ...select } = selectOf(query)
  const run = useMutation<void, PosthornError>({
    mutationFn: () =>
      download("contacts.csv", "text/csv", api.contacts.exportSelected({ ...select, format: "csv" }), setBytes)
  })
  return (
    <>
      <Button missing={missing} isPending={run.isPending} onPress={() => run.mutate()}>
        {run.isPending ? words.exporting(bytesText(bytes)) : words.export}
      </Button>
      {run.error !== null && <Problem error={run.error} />}
    </>
  )
}
