/** The branches of a split, with the share of each. */
import type { ReactNode } from "react"
import { Button } from "../../kit/Button.tsx"
import { TextField } from "../../kit/Field.tsx"
import { Card, Pair, Row } from "../../kit/Layout.tsx"
import { newBranchId } from "./Drawing.ts"
import { type FieldsProps, fieldText, numberOf } from "./StepFields.tsx"
import { workflowWords } from "./words.ts"

interface Branch {
  readonly id: string
  readonly name?: string
  readonly share?: unknown
}

const maxBranches = 10

export const SplitFields = ({ config, set }: FieldsProps): ReactNode => {
  const { fields } = workflowWords()
  const branches = (config["branches"] ?? []) as ReadonlyArray<Branch>
  const change = (id: string, next: Branch) =>
    set({ branches: branches.map((branch) => (branch.id === id ? next : branch)) })
  return (
    <>
      {branches.map((branch, at) => (
        <Card
          key={branch.id}
          title={fields.branch(branch.name ?? branch.id)}
          actions={
            branches.length > 2 && (
              <Button kind="quiet" onPress={() => set({ branches: branches.filter(({ id }) => id !== branch.id) })}>
                {fields.removeBranch}
              </Button>
            )
          }
        >
          <Pair>
            <TextField
              label={fields.branchName}
              name={`config.branches.${at}.name`}
              value={branch.name ?? ""}
              maxLength={100}
              onChange={(name) => {
                const { name: _, ...others } = branch
                change(branch.id, name === "" ? others : { ...branch, name })
              }}
            />
            <TextField
              label={fields.share}
              name={`config.branches.${at}.share`}
              inputMode="decimal"
              value={fieldText(branch.share)}
              onChange={(share) => change(branch.id, { ...branch, share: numberOf(share) ?? "" })}
            />
          </Pair>
        </Card>
      ))}
      {branches.length < maxBranches && (
        <Row>
          <Button onPress={() => set({ branches: [...branches, { id: newBranchId(branches), share: 0 }] })}>
            {fields.addBranch}
          </Button>
        </Row>
      )}
      <TextField
        label={fields.salt}
        name="config.salt"
        help={fields.saltHelp}
        maxLength={100}
        value={fieldText(config["salt"])}
        onChange={(salt) => set({ salt: salt || undefined })}
      />
    </>
  )
}
