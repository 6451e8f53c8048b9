/** What the data of the same event must be: tests in rows below the event. All of them must hold. */
import { X } from "lucide-react"
import { type ReactNode, useRef, useState } from "react"
import { Button } from "../Button.tsx"
import { Select, TextField } from "../Field.tsx"
import styles from "./conditions.module.css"
import { FilterValue } from "./FilterValue.tsx"
import { filterOfTest, operatorsFor, type TreeFilter, type TreeTest, testOfFilter, withOperator } from "./grammar.ts"
import { useKeys } from "./useKeys.ts"
import { conditionWords } from "./words.ts"

/** The most tests of a filter. */
const most = 10

interface WhereProps {
  readonly filter: TreeFilter
  readonly onChange: (filter: TreeFilter) => void
  /** The number of the filter among those around it, for people. */
  readonly place: string
}

export const WhereRows = ({ filter, onChange, place }: WhereProps): ReactNode => {
  const words = conditionWords()
  const add = useRef<HTMLDivElement>(null)
  const [fresh, setFresh] = useState(-1)
  const { where: given, ...rest } = filter
  const tests = given ?? []
  const rows = useKeys(tests.length)
  const set = (next: ReadonlyArray<TreeTest>) => onChange({ ...rest, ...(next.length > 0 && { where: next }) })
  const put = (index: number, test: TreeTest) => set(tests.map((each, n) => (n === index ? test : each)))
  return (
    <div className={styles.tests} ref={add}>
      {tests.map((test, n) => {
        const own = filterOfTest(test)
        const name = `${place}.${n + 1}`
        return (
          <fieldset key={rows.keys[n]} className={styles.filter}>
            <legend className="visually-hidden">{words.test(name)}</legend>
            <div className={styles.name}>
              <TextField
                label={words.testPath}
                isLabelHidden
                placeholder={words.testPath}
                autoComplete="off"
                autoFocus={n === fresh}
                value={test.path}
                onChange={(path) => put(n, { ...test, path })}
              />
            </div>
            <Select
              label={words.operator}
              isLabelHidden
              value={test.operator}
              choices={operatorsFor(own, undefined).map((id) => ({ id, name: words.operators[id] }))}
              onChange={(operator) => put(n, testOfFilter(withOperator(own, operator)))}
            />
            <div className={styles.value}>
              <FilterValue filter={own} onChange={(next) => put(n, testOfFilter(next))} />
            </div>
            <Button
              kind="quiet"
              isIcon
              aria-label={words.removeTest(name)}
              onPress={() => {
                rows.remove(n)
                setFresh(-1)
                add.current?.querySelector<HTMLElement>("[data-add-test]")?.focus()
                set(tests.filter((_, index) => index !== n))
              }}
            >
              <X size={14} aria-hidden />
            </Button>
          </fieldset>
        )
      })}
      {tests.length < most && (
        <Button
          kind="quiet"
          data-add-test
          onPress={() => {
            setFresh(tests.length)
            set([...tests, { path: "", operator: "equals" }])
          }}
        >
          {words.addTest}
        </Button>
      )}
    </div>
  )
}
