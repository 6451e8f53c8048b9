/** "Show code": the call of an action in curl, TypeScript and the command line. */
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Button } from "./Button.tsx"
import type { CodeCall } from "./samples.ts"
import { words } from "./words.ts"

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
