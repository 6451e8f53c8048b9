/** "Show code": the call of an action in curl, TypeScript and the command line. */
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Button } from "./Button.tsx"
import { words } from "./words.ts"

export interface CodeCall {
  /** The id of the operation in the OpenAPI document, such as `contacts.upsert`. */
  readonly operation: string
  /** Parameters of the path, in their order. */
  readonly path?: ReadonlyArray<string>
  readonly query?: { readonly [name: string]: unknown }
  readonly body?: unknown
}

const CodeDialog = lazy(() => import("./CodeDialog.tsx"))

export const ShowCode = ({ call }: { readonly call: CodeCall }): ReactNode => {
  const { showCode } = words()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="quiet" onPress={() => setOpen(true)}>
        {showCode}
      </Button>
      {isOpen && (
        <Suspense>
          <CodeDialog call={call} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
