/** The condition of a step: yes and no, or several branches of which the first that matches is taken. */
import type { FilterTree } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { Button } from "../../kit/Button.tsx"
import { everyone } from "../../kit/conditions/everyone.ts"
import { LaterConditionBuilder } from "../../kit/conditions/LaterConditionBuilder.tsx"
import { Select, TextField } from "../../kit/Field.tsx"
import { Card, Row } from "../../kit/Layout.tsx"
import { type Config, newBranchId } from "./Drawing.ts"
import type { PlacedFaults } from "./faults.ts"
import type { FieldsProps } from "./StepFields.tsx"
import { workflowWords } from "./words.ts"

interface Branch {
  readonly id: string
  readonly name?: string | undefined
  readonly [key: string]: unknown
}

/** A single comparison as a tree. */
const treeOf = ({ condition, field, operator, value, unit }: Config, shared?: unknown): FilterTree => {
  if (condition != null) return condition as FilterTree
  if (operator === undefined) return everyone
  const filter = {
    field: field ?? shared,
    operator,
    ...(value !== undefined && { value }),
    ...(unit != null && { unit })
  } as NonNullable<FilterTree["groups"][number]["filters"]>[number]
  return { logic: "AND", groups: [{ filters: [filter] }] }
}

const branchesIn = (config: Config): ReadonlyArray<Branch> => (config["branches"] ?? []) as ReadonlyArray<Branch>

const newBranch = (branches: ReadonlyArray<Branch>, condition: FilterTree): Branch => ({
  id: newBranchId(branches),
  condition
})

interface ConditionProps extends FieldsProps {
  readonly faults: PlacedFaults | undefined
}

export const ConditionFields = ({ config, set, faults }: ConditionProps): ReactNode => {
  const { fields } = workflowWords()
  const isMulti = config["mode"] === "multi"
  const branches = branchesIn(config)
  const replace = (value: Config) =>
    set({ ...Object.fromEntries(Object.keys(config).map((key) => [key, undefined])), ...value })
  const setBranches = (next: ReadonlyArray<Branch>) =>
    replace({
      mode: "multi",
      branches: next.map((branch) => ({
        id: branch.id,
        ...(branch.name && { name: branch.name }),
        condition: treeOf(branch, config["field"])
      }))
    })
  /** The faults below a path of the config. */
  const below = (path: string) =>
    (faults?.errors ?? []).flatMap(({ field, message }) => {
      const rest = field.startsWith(path) ? field.slice(path.length) : undefined
      if (rest === undefined) return []
      const isTree = rest.startsWith("condition")
      return [{ field: isTree ? rest : `condition.groups.0.filters.0.${rest}`, message }]
    })
  const change = (id: string, next: Partial<Branch>) =>
    setBranches(branches.map((branch) => (branch.id === id ? { ...branch, ...next } : branch)))
  return (
    <>
      <Select<"one" | "multi">
        label={fields.branching}
        value={isMulti ? "multi" : "one"}
        choices={(["one", "multi"] as const).map((id) => ({ id, name: fields.branchings[id] }))}
        onChange={(mode) => {
          if (mode === "multi") setBranches([newBranch([], treeOf(config))])
          else replace({ condition: branches[0] === undefined ? everyone : treeOf(branches[0], config["field"]) })
        }}
      />
      {!isMulti && (
        <LaterConditionBuilder
          value={treeOf(config)}
          onChange={(condition) => replace({ condition })}
          faults={below("config.")}
          isStep
        />
      )}
      {isMulti &&
        branches.map((branch, index) => (
          <Card
            key={branch.id}
            title={fields.branch(branch.name ?? branch.id)}
            actions={
              <Button kind="quiet" onPress={() => setBranches(branches.filter(({ id }) => id !== branch.id))}>
                {fields.removeBranch}
              </Button>
            }
          >
            <TextField
              label={fields.branchName}
              value={branch.name ?? ""}
              maxLength={100}
              onChange={(name) => change(branch.id, { name })}
            />
            <LaterConditionBuilder
              value={treeOf(branch, config["field"])}
              onChange={(condition) => change(branch.id, { condition })}
              faults={below(`config.branches.${index}.`)}
              isStep
            />
          </Card>
        ))}
      {isMulti && (
        <Row>
          <Button onPress={() => setBranches([...branches, newBranch(branches, everyone)])}>{fields.addBranch}</Button>
        </Row>
      )}
    </>
  )
}
