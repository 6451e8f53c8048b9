/** Groups of filters, and the groups within them. */
import type { FilterTree } from "@posthorn/client/session"
import { Fragment, type ReactNode, useRef, useState } from "react"
import { Button } from "../Button.tsx"
import { Select } from "../Field.tsx"
import kit from "../kit.module.css"
import { Row } from "../Layout.tsx"
import { maxDepth } from "./check.ts"
import styles from "./conditions.module.css"
import { FilterRow } from "./FilterRow.tsx"
import { firstFilter, type TreeFilter, type TreeGroup } from "./grammar.ts"
import { useKeys } from "./useKeys.ts"
import { useVocabulary } from "./Vocabulary.tsx"
import { conditionWords } from "./words.ts"

const newGroup: TreeGroup = { filters: [firstFilter("contact")] }

const without = <A,>(list: ReadonlyArray<A>, index: number) => list.filter((_, n) => n !== index)
const replaced = <A,>(list: ReadonlyArray<A>, index: number, entry: A) =>
  list.map((each, n) => (n === index ? entry : each))

interface GroupProps {
  readonly group: TreeGroup
  /** Undefined: the group is empty and goes. */
  readonly onChange: (group: TreeGroup | undefined) => void
  readonly path: string
  readonly place: string
  readonly depth: number
  readonly isFresh: boolean
}

const GroupEditor = ({ group, onChange, path, place, depth, isFresh }: GroupProps) => {
  const words = conditionWords()
  const { faults } = useVocabulary()
  const ref = useRef<HTMLFieldSetElement>(null)
  const filters = group.filters ?? []
  const nested = group.conditions ?? undefined
  const rows = useKeys(filters.length)
  const [fresh, setFresh] = useState(isFresh ? 0 : -1)
  const [isNestedFresh, setNestedFresh] = useState(false)
  const set = (nextFilters: ReadonlyArray<TreeFilter>, nextNested: FilterTree | undefined) => {
    const isNested = nextNested !== undefined && nextNested.groups.length > 0
    if (nextFilters.length === 0 && !isNested) return onChange(undefined)
    onChange({ filters: nextFilters, ...(isNested && { conditions: nextNested }) })
  }
  const found = faults.filter(({ field }) => field === path)
  return (
    <fieldset ref={ref} className={styles.group}>
      <legend className="visually-hidden">{words.group(place)}</legend>
      {filters.map((filter, n) => (
        <Fragment key={rows.keys[n]}>
          {n > 0 && <span className={styles.join}>{words.joins.AND}</span>}
          <FilterRow
            filter={filter}
            path={`${path}.filters.${n}`}
            place={`${place}.${n + 1}`}
            isFresh={n === fresh}
            onChange={(next) => set(replaced(filters, n, next), nested)}
            onRemove={() => {
              rows.remove(n)
              setFresh(-1)
              ref.current?.querySelector<HTMLElement>("[data-add]")?.focus()
              set(without(filters, n), nested)
            }}
          />
        </Fragment>
      ))}
      {nested !== undefined && (
        <>
          {filters.length > 0 && <span className={styles.join}>{words.joins.AND}</span>}
          <div className={styles.nested}>
            <TreeEditor
              tree={nested}
              onChange={(next) => set(filters, next)}
              path={`${path}.conditions.`}
              place={`${place}.${filters.length + 1}`}
              depth={depth + 1}
              isFresh={isNestedFresh}
            />
          </div>
        </>
      )}
      {found.map(({ message }) => (
        <p key={message} className={kit.fault}>
          {message}
        </p>
      ))}
      <Row>
        <Button
          kind="quiet"
          data-add
          onPress={() => {
            setFresh(filters.length)
            set([...filters, firstFilter("contact")], nested)
          }}
        >
          {words.addFilter}
        </Button>
        {nested === undefined && depth < maxDepth && (
          <Button
            kind="quiet"
            onPress={() => {
              setNestedFresh(true)
              set(filters, { logic: "OR", groups: [newGroup] })
            }}
          >
            {words.addNested}
          </Button>
        )}
        <Button kind="quiet" aria-label={words.removeGroup(place)} onPress={() => onChange(undefined)}>
          {words.removeThisGroup}
        </Button>
      </Row>
    </fieldset>
  )
}

interface TreeEditorProps {
  readonly tree: FilterTree
  readonly onChange: (tree: FilterTree) => void
  /** Empty, or the path of the tree with a dot at its end. */
  readonly path?: string
  /** The number of the tree, for people. */
  readonly place?: string
  readonly depth?: number
  /** It was just added, so the focus goes to its first filter. */
  readonly isFresh?: boolean
}

export const TreeEditor = (props: TreeEditorProps): ReactNode => {
  const { tree, onChange, path = "", place = "", depth = 1, isFresh = false } = props
  const words = conditionWords()
  const { groups } = tree
  const logic = tree.logic ?? "AND"
  const cards = useKeys(groups.length)
  const [fresh, setFresh] = useState(isFresh ? 0 : -1)
  const ref = useRef<HTMLDivElement>(null)
  const placeOf = (n: number) => (place === "" ? String(n + 1) : `${place}.${n + 1}`)
  return (
    <div ref={ref} className={styles.tree}>
      {groups.length > 1 && (
        <div className={styles.logic}>
          <Select
            label={words.logic}
            value={logic}
            choices={(["AND", "OR"] as const).map((id) => ({ id, name: words.logics[id] }))}
            onChange={(next) => onChange({ ...tree, logic: next })}
          />
        </div>
      )}
      {groups.map((group, n) => (
        <Fragment key={cards.keys[n]}>
          {n > 0 && <span className={styles.join}>{words.joins[logic]}</span>}
          <GroupEditor
            group={group}
            path={`${path}groups.${n}`}
            place={placeOf(n)}
            depth={depth}
            isFresh={n === fresh}
            onChange={(next) => {
              if (next !== undefined) return onChange({ ...tree, groups: replaced(groups, n, next) })
              cards.remove(n)
              setFresh(-1)
              ref.current?.querySelector<HTMLElement>(":scope > [data-add-group]")?.focus()
              onChange({ ...tree, groups: without(groups, n) })
            }}
          />
        </Fragment>
      ))}
      {groups.length === 0 && <p className={kit.help}>{words.everyone}</p>}
      <Button
        data-add-group
        onPress={() => {
          setFresh(groups.length)
          onChange({ ...tree, groups: [...groups, newGroup] })
        }}
      >
        {groups.length === 0 ? words.addFilter : words.addGroup}
      </Button>
    </div>
  )
}
