/** Tabs, search and filters. What they choose is in the URL, so that a copied link shows the same. */
import { Link, type LinkProps } from "@tanstack/react-router"
import { Search, X } from "lucide-react"
import { type ReactNode, useEffect, useId, useRef, useState } from "react"
import { Button as AriaButton } from "react-aria-components/Button"
import { Button } from "./Button.tsx"
import styles from "./kit.module.css"
import { words } from "./words.ts"

export interface TabItem {
  readonly id: string
  readonly name: string
  readonly link: LinkProps
}

/** Parts of a record, each with a URL of its own. */
export const TabLinks = ({
  label,
  tabs,
  current
}: {
  readonly label: string
  readonly tabs: ReadonlyArray<TabItem>
  readonly current: string
}): ReactNode => (
  <nav aria-label={label} className={styles.tabs}>
    {tabs.map(({ id, name, link }) => (
      <Link
        key={id}
        {...link}
        className={styles.tab}
        activeOptions={{ exact: true }}
        data-selected={id === current || undefined}
        replace
        resetScroll={false}
      >
        {name}
      </Link>
    ))}
  </nav>
)

interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The search field of a page: `/` leads to it. It answers 250 ms after the last letter, and at Enter. */
export const SearchBox = ({ label, value, onChange }: SearchBoxProps): ReactNode => {
  const { clear } = words()
  const [text, setText] = useState(value)
  const [given, setGiven] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  if (value !== given) {
    setGiven(value)
    setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: string, wait: number) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setGiven(next.trim())
      onChange(next.trim())
    }, wait)
  }
  return (
    <search className={styles.searchBox}>
      <Search size={14} aria-hidden />
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <input
        id={id}
        type="search"
        data-page-search
        className={styles.input}
        placeholder={label}
        value={text}
        autoComplete="off"
        onChange={(event) => change(event.target.value, 250)}
        onKeyDown={(event) => event.key === "Enter" && change(text, 0)}
      />
      {text !== "" && (
        <AriaButton className={styles.copy ?? ""} aria-label={clear} onPress={() => change("", 0)}>
          <X size={14} aria-hidden />
        </AriaButton>
      )}
    </search>
  )
}

export interface Chip {
  readonly id: string
  readonly text: ReactNode
  readonly name: string
  readonly onRemove: () => void
}

/** The filters that hold, each with a button that removes it. */
export const Chips = ({
  chips,
  onClear
}: {
  readonly chips: ReadonlyArray<Chip>
  readonly onClear: () => void
}): ReactNode => {
  const { remove, clearFilters } = words()
  if (chips.length === 0) return null
  return (
    <div className={styles.chips}>
      {chips.map(({ id, text, name, onRemove }) => (
        <span key={id} className={styles.chip}>
          {text}
          <AriaButton className={styles.copy ?? ""} aria-label={remove(name)} onPress={onRemove}>
            <X size={14} aria-hidden />
          </AriaButton>
        </span>
      ))}
      {chips.length > 1 && (
        <Button kind="quiet" onPress={onClear}>
          {clearFilters}
        </Button>
      )}
    </div>
  )
}
