/** The columns of the list of contacts, with those of the chosen data. */
import type { Contact } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import { useMemo } from "react"
import { useProjectId } from "../../app/Project.tsx"
import type { Column } from "../../kit/DataTable.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { Subscription } from "./Subscription.tsx"
import { textOf } from "./Values.ts"
import { contactWords } from "./words.ts"

export const useColumns = (
  keys: ReadonlyArray<string>,
  sort: "createdAt" | "updatedAt" | "email"
): ReadonlyArray<Column<Contact>> => {
  const words = contactWords()
  const projectId = useProjectId()
  return useMemo(
    (): ReadonlyArray<Column<Contact>> => [
      {
        id: "email",
        name: words.address,
        isSortable: true,
        cell: ({ id, email }) => (
          <Link to="/p/$projectId/contacts/$contactId" params={{ projectId, contactId: id }}>
            <Foreign>{email}</Foreign>
          </Link>
        )
      },
      {
        id: "state",
        name: words.state,
        isFit: true,
        cell: ({ subscription }) => <Subscription subscription={subscription} />
      },
      ...keys.map((key) => ({
        id: `data.${key}`,
        name: key,
        cell: ({ data }: Contact) => <Foreign>{textOf(data[key])}</Foreign>
      })),
      ...(sort === "updatedAt"
        ? [
            {
              id: "updatedAt",
              name: words.updated,
              isFit: true,
              isSortable: true,
              cell: ({ updatedAt }: Contact) => <Time at={updatedAt} />
            }
          ]
        : []),
      {
        id: "createdAt",
        name: words.created,
        isFit: true,
        isSortable: true,
        cell: ({ createdAt }) => <Time at={createdAt} />
      }
    ],
    [keys, sort, words, projectId]
  )
}
