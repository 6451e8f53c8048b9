/** The builder for places that seldom show it. Its code is loaded when they do. */
import { type ComponentProps, lazy, type ReactNode, Suspense } from "react"
import { Bar } from "../Layout.tsx"

const ConditionBuilder = lazy(async () => ({ default: (await import("./ConditionBuilder.tsx")).ConditionBuilder }))

/** The bar has the height of a condition with one filter. */
export const LaterConditionBuilder = (props: ComponentProps<typeof ConditionBuilder>): ReactNode => (
  <Suspense fallback={<Bar height={282} />}>
    <ConditionBuilder {...props} />
  </Suspense>
)
