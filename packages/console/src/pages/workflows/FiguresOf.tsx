/** Whose figures the drawing shows: of all versions or of one, of all time or of the last days. */
import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { Select } from "../../kit/Field.tsx"
import { Row } from "../../kit/Layout.tsx"
import { workflowRoute } from "./routes.ts"
import { workflowWords } from "./words.ts"

const everything = "all"
const ranges = [everything, "7", "30", "90"] as const

export const FiguresOf = ({ id }: { readonly id: string }): ReactNode => {
  const { figures: words, versions: texts } = workflowWords()
  const { days, version } = workflowRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/workflows/$workflowId" })
  const versions = useRead(["workflows", id, "versions", "choices"], (api, options) =>
    api.workflows.versions(id, { pageSize: 100 }, options).page()
  )
  const numbers = (versions.data?.data ?? []).map((each) => String(each.version))
  const isKnown = version === undefined || numbers.includes(version)
  return (
    <Row>
      {numbers.length > 0 && (
        <Select
          label={words.version}
          value={version ?? everything}
          choices={[
            { id: everything, name: words.allVersions },
            ...[...numbers, ...(isKnown ? [] : [version])].map((each) => ({ id: each, name: texts.name(Number(each)) }))
          ]}
          onChange={(each) =>
            void navigate({
              search: (before) => ({ ...before, version: each === everything ? undefined : each }),
              replace: true
            })
          }
        />
      )}
      <Select
        label={words.range}
        value={days ?? everything}
        choices={ranges.map((each) => ({ id: each, name: words.ranges[each] }))}
        onChange={(each) =>
          void navigate({
            search: (before) => ({ ...before, days: each === everything ? undefined : each }),
            replace: true
          })
        }
      />
    </Row>
  )
}
