/** The palette: pages, projects and records by name, address or id. It opens with Ctrl K or Cmd K. */
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { Autocomplete } from "react-aria-components/Autocomplete"
import { Input } from "react-aria-components/Input"
import { Label } from "react-aria-components/Label"
import { Menu, MenuItem } from "react-aria-components/Menu"
import { SearchField } from "react-aria-components/SearchField"
import { Text } from "react-aria-components/Text"
import { Dialog } from "../kit/Dialog.tsx"
import styles from "../kit/kit.module.css"
import { Foreign } from "../kit/Text.tsx"
import { deployment } from "./Deployment.ts"
import { pathOfRecord, useFoundRecords } from "./FoundRecords.ts"
import { isShown, placeGroups } from "./navigation.ts"
import { useOpened } from "./Project.tsx"
import { paletteWords } from "./paletteWords.ts"
import { shellWords } from "./shellWords.ts"

interface Entry {
  readonly id: string
  readonly name: string
  readonly about: string
  /** A path of the console. */
  readonly path: string
}

/** Whether all words of the text stand in the name. */
const fits = (name: string, text: string) =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word))

const useEntries = (): ReadonlyArray<Entry> => {
  const words = shellWords()
  const { project, projects } = useOpened()
  return [
    ...placeGroups
      .flatMap(({ places }) => places)
      .filter(isShown)
      .map(({ id, path }) => ({
        id: `place ${id}`,
        name: words.places[id],
        about: words.page,
        path: `/p/${project.id}${path === "/" ? "" : path}`
      })),
    ...projects
      .filter(({ id }) => id !== project.id)
      .map(({ id, name }) => ({ id: `project ${id}`, name, about: words.switchProject, path: `/p/${id}` })),
    ...(deployment.mode === "server"
      ? [{ id: "account", name: words.yourAccount, about: words.page, path: "/account" }]
      : [])
  ]
}

const useRecordEntries = (text: string): ReadonlyArray<Entry> => {
  const { records } = paletteWords()
  const { project } = useOpened()
  return useFoundRecords(text).flatMap((record) => {
    const path = pathOfRecord(project.id, record)
    if (path === undefined) return []
    const { type, id, title, subtitle } = record
    return [{ id: `${type} ${id}`, name: title, about: [records[type], subtitle].filter(Boolean).join(", "), path }]
  })
}

const Palette = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const words = paletteWords()
  const navigate = useNavigate()
  const [text, setText] = useState("")
  const entries = useEntries().filter(({ name }) => fits(name, text))
  const shown = [...entries, ...useRecordEntries(text)]
  const open = (entry: Entry) => {
    onClose()
    void navigate({ to: entry.path as "/" })
  }
  return (
    <Dialog title={words.palette} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField className={styles.field ?? ""} autoFocus>
          <Label className="visually-hidden">{words.palette}</Label>
          <Input className={styles.input ?? ""} placeholder={words.paletteHelp} />
        </SearchField>
        <Menu
          className={styles.list ?? ""}
          items={shown}
          aria-label={words.palette}
          renderEmptyState={() => words.nothingFound}
        >
          {(entry) => (
            <MenuItem id={entry.id} textValue={entry.name} className={styles.item ?? ""} onAction={() => open(entry)}>
              <Text slot="label">
                <Foreign>{entry.name}</Foreign>
              </Text>
              <Text slot="description" className={styles.itemHelp ?? ""}>
                <Foreign>{entry.about}</Foreign>
              </Text>
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </Dialog>
  )
}

export default Palette
