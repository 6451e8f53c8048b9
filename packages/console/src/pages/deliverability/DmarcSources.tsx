import type { Domain } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { DataTable } from "../../kit/DataTable.tsx"
import { Answer, Card, Empty, Notice } from "../../kit/Layout.tsx"
import { Count, Foreign } from "../../kit/Text.tsx"
import { deliverabilityWords } from "./words.ts"

/** Who sends with the domain, by the DMARC reports of the last 30 days. */
export const DmarcSources = ({ domain }: { readonly domain: Domain }): ReactNode => {
  const words = deliverabilityWords()
  const reports = useRead(["domains", domain.id, "dmarc"], (api, options) => api.domains.dmarc(domain.id, {}, options))
  return (
    <Card title={words.sources}>
      <p>{words.sourcesAbout}</p>
      <Answer of={reports} height={160}>
        {({ advice, rows }) =>
          rows.length === 0 ? (
            <Empty about={words.noReports} />
          ) : (
            <>
              {advice !== "" && (
                <Notice>
                  <Foreign>{advice}</Foreign>
                </Notice>
              )}
              <DataTable
                label={words.sources}
                rows={rows.map((row) => ({ ...row, id: row.source ?? "" }))}
                total={rows.length}
                rowName={({ id }) => id}
                columns={[
                  { id: "source", name: words.source, cell: ({ id }) => <Foreign>{id}</Foreign> },
                  { id: "own", name: words.signed, cell: ({ own }) => (own ? words.byUs : words.byOthers) },
                  {
                    id: "messages",
                    name: words.messages,
                    isNumber: true,
                    cell: ({ messages }) => <Count value={messages} />
                  },
                  { id: "passed", name: words.passed, isNumber: true, cell: ({ passed }) => <Count value={passed} /> },
                  {
                    id: "failed",
                    name: words.failedMails,
                    isNumber: true,
                    cell: ({ failed }) => <Count value={failed} />
                  }
                ]}
              />
            </>
          )
        }
      </Answer>
    </Card>
  )
}
