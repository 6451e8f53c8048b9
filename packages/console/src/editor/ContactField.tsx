/** The address of a contact, found while it is typed. */
import { type ReactNode, useId } from "react"
import { useRead } from "../app/Queries.ts"
import { TextField } from "../kit/Field.tsx"
import { useSettled } from "../kit/useSettled.ts"

const pause = 300

interface ContactFieldProps {
  readonly label: string
  readonly help?: string
  readonly value: string
  readonly isRequired?: boolean
  readonly autoFocus?: boolean
  readonly onChange: (address: string) => void
}

export const ContactField = ({ value, ...props }: ContactFieldProps): ReactNode => {
  const list = useId()
  const search = useSettled(value.trim().slice(0, 200), pause)
  const found = useRead(
    ["contacts", "named", search],
    (api, options) => api.contacts.list({ search, limit: 8 }, options).page(),
    { enabled: search.length >= 2, keep: true }
  )
  return (
    <>
      <TextField {...props} type="email" value={value} list={list} />
      <datalist id={list}>
        {(search.length < 2 ? [] : (found.data?.data ?? [])).map(({ id, email }) => (
          <option key={id} value={email} />
        ))}
      </datalist>
    </>
  )
}
