import type { AccountSession, PosthornError } from "@posthorn/client/session"
import { useMutation, useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { accountApi } from "../../app/Api.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Card, Problem } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { accountWords } from "./words.ts"

const browsers = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"]
] as const

const systems = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"]
] as const

/** The browser and its system, as people call them; what is neither is shown as it is. */
const browserText = (userAgent: string): string => {
  const of = (names: typeof browsers | typeof systems) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = of(browsers)
  return browser === undefined ? userAgent : [browser, of(systems)].filter(Boolean).join(", ")
}

export const Sessions = (): ReactNode => {
  const words = accountWords()
  const list = useQuery<ReadonlyArray<AccountSession>, PosthornError>({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => accountApi.accountSessions.list({ signal }).orThrow()
  })
  const end = useMutation<unknown, PosthornError, string | undefined>({
    mutationFn: (id) =>
      (id === undefined ? accountApi.accountSessions.removeOthers() : accountApi.accountSessions.remove(id)).orThrow(),
    onSuccess: async () => {
      notify(words.ended)
      await list.refetch()
    }
  })
  const error = list.error ?? end.error
  return (
    <Card title={words.sessions} actions={<Button onPress={() => end.mutate(undefined)}>{words.endOthers}</Button>}>
      {error !== null && <Problem error={error} />}
      {list.data === undefined ? (
        <TableSkeleton rows={2} />
      ) : (
        <DataTable
          label={words.sessions}
          rows={list.data}
          columns={[
            {
              id: "device",
              name: words.device,
              cell: ({ userAgent }) => (
                <span title={userAgent ?? ""}>
                  <Foreign>{userAgent === null ? words.unknown : browserText(userAgent)}</Foreign>
                </span>
              )
            },
            {
              id: "network",
              name: words.network,
              isFit: true,
              cell: ({ network }) => <Foreign>{network ?? words.unknown}</Foreign>
            },
            { id: "seen", name: words.lastSeen, isFit: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
            {
              id: "end",
              name: words.end,
              isNameHidden: true,
              isFit: true,
              cell: ({ id, current }) =>
                current ? (
                  words.thisOne
                ) : (
                  <Button kind="quiet" onPress={() => end.mutate(id)}>
                    {words.end}
                  </Button>
                )
            }
          ]}
        />
      )}
    </Card>
  )
}
