/** What can be done with the selected contacts, or with all that the filters match. */
import type { BulkSelect, Contact, QueryContacts } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { Button } from "../../kit/Button.tsx"
import { SelectionBar } from "../../kit/DataTable.tsx"
import { Problem } from "../../kit/Layout.tsx"
import { Progress } from "../../kit/Progress.tsx"
import { BulkDialog } from "./BulkDialog.tsx"
import { bulkWords } from "./bulkWords.ts"
import { selectOf } from "./filters.ts"
import { type Operation, useBulk } from "./useBulk.ts"

/** The most contacts that are subscribed without a look at their number. */
const few = 1_000

interface SelectedProps {
  readonly contacts: ReadonlyArray<Pick<Contact, "id" | "email">>
  /** What the list shows. */
  readonly query: QueryContacts
  /** All that match; null if that is not known. */
  readonly total: number | null
  readonly onClear: () => void
}

export const Selected = ({ contacts, query, total, onClear }: SelectedProps): ReactNode => {
  const words = bulkWords()
  const mayNotDelete = useMissing("contacts.bulkDelete")
  const mayNotChange = useMissing("contacts.bulk")
  const [isAll, setAll] = useState(false)
  const [open, setOpen] = useState<Operation>()
  const bulk = useBulk(onClear)
  const select: BulkSelect = isAll ? selectOf(query) : { contactIds: contacts.map(({ id }) => id) }
  const count = isAll && total !== null ? total : contacts.length
  const ask = (operation: Operation) => {
    const isQuick = !isAll && contacts.length <= few && (operation === "subscribe" || operation === "unsubscribe")
    if (isQuick) bulk.run.mutate({ operation, select })
    else setOpen(operation)
  }
  return (
    <>
      <SelectionBar count={count} onClear={onClear}>
        {!isAll && (total === null || total > contacts.length) && (
          <Button kind="quiet" onPress={() => setAll(true)}>
            {words.selectAll(total)}
          </Button>
        )}
        {(["subscribe", "unsubscribe", "set-topics", "set-data", "add-to-segment", "remove-from-segment"] as const).map(
          (id) => (
            <Button key={id} missing={mayNotChange} isPending={bulk.run.isPending} onPress={() => ask(id)}>
              {words.operations[id]}
            </Button>
          )
        )}
        <Button missing={mayNotDelete} isPending={bulk.run.isPending} onPress={() => ask("delete")}>
          {words.operations.delete}
        </Button>
      </SelectionBar>
      {bulk.run.isPending && (
        <Progress label={words.title} value={bulk.progress / 100} text={words.working(bulk.progress)} />
      )}
      {bulk.run.error !== null && <Problem error={bulk.run.error} />}
      {open !== undefined && (
        <BulkDialog
          operation={open}
          select={select}
          onClose={() => setOpen(undefined)}
          onConfirm={(change) => {
            setOpen(undefined)
            bulk.run.mutate(change)
          }}
        />
      )}
    </>
  )
}
