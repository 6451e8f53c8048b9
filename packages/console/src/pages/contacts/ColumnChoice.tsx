import { type ReactNode, useState } from "react"
import { useRead } from "../../app/Queries.ts"
import { Dialog } from "../../kit/Dialog.tsx"
import { Checkbox } from "../../kit/Field.tsx"
import { Bar, Notice, Problem, Stack } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { contactWords } from "./words.ts"

const most = 4

interface ColumnChoiceProps {
  readonly chosen: ReadonlyArray<string>
  readonly onChange: (chosen: ReadonlyArray<string>) => void
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

/** Chooses the fields of data that the list shows. */
export const ColumnChoice = ({ chosen, onChange, isOpen, onOpenChange }: ColumnChoiceProps): ReactNode => {
  const words = contactWords()
  const [isFull, setFull] = useState(false)
  const { data, error } = useRead(["contacts", "fields"], (api, options) => api.contacts.fields(options), {
    enabled: isOpen,
    staleTime: 60_000
  })
  // The names stand in the URL as a list with commas.
  const fields = data?.fields.filter(({ field }) => field.startsWith("data.") && !field.includes(","))
  const choose = (key: string, isChosen: boolean) => {
    setFull(isChosen && chosen.length >= most)
    if (!isChosen) onChange(chosen.filter((each) => each !== key))
    else if (chosen.length < most) onChange([...chosen, key])
  }
  return (
    <Dialog title={words.columns} isOpen={isOpen} onOpenChange={onOpenChange}>
      <Stack>
        <p>{words.columnsAbout}</p>
        {error !== null && <Problem error={error} />}
        {isFull && <Notice tone="warning">{words.tooMany}</Notice>}
        {fields === undefined && error === null && <Bar height={96} />}
        {fields?.length === 0 && <p>{words.noFields}</p>}
        {fields?.map(({ field, coverage }) => {
          const key = field.slice("data.".length)
          return (
            <Checkbox key={key} isSelected={chosen.includes(key)} onChange={(isChosen) => choose(key, isChosen)}>
              <span>
                <Foreign>{key}</Foreign> ({words.covered(coverage)})
              </span>
            </Checkbox>
          )
        })}
      </Stack>
    </Dialog>
  )
}
