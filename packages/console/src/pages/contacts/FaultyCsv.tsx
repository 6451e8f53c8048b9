/** The faulty rows of all parts of an import as one file, to be corrected and imported again. */
import type { ImportSummary, PosthornError } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { type Api, apiOf } from "../../app/Api.ts"
import { useProjectId } from "../../app/Project.tsx"
import { Button } from "../../kit/Button.tsx"
import { Problem } from "../../kit/Layout.tsx"
import { saveFile } from "../../kit/SecretOnce.tsx"
import { importWords } from "./importWords.ts"

interface FaultyCsvProps {
  readonly parts: ReadonlyArray<ImportSummary>
  readonly linesBefore: (jobId: string) => number
}

const fileOf = async (api: Api, { parts, linesBefore }: FaultyCsvProps): Promise<string> => {
  const { parse, unparse } = (await import("papaparse")).default
  const lines: Array<Array<string>> = []
  for (const part of parts) {
    if ((part.result?.failureCount ?? 0) === 0) continue
    const stream = await api.contacts.importErrors(part.id).orThrow()
    const text = await new Response(stream).text()
    const [header = [], ...rows] = parse<Array<string>>(text, { skipEmptyLines: true }).data
    if (lines.length === 0) lines.push(header)
    for (const [row = "", ...cells] of rows) lines.push([String(Number(row) + linesBefore(part.id)), ...cells])
  }
  return unparse(lines, { newline: "\r\n" })
}

export const FaultyCsv = (props: FaultyCsvProps): ReactNode => {
  const words = importWords()
  const project = useProjectId()
  const run = useMutation<void, PosthornError>({
    mutationFn: async () => saveFile("faulty-rows.csv", await fileOf(apiOf(project), props), "text/csv")
  })
  return (
    <>
      <Button isPending={run.isPending} onPress={() => run.mutate()}>
        {words.faultyCsv}
      </Button>
      {run.error !== null && <Problem error={run.error} />}
    </>
  )
}
