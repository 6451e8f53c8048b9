/** After the session ended: a dialog over the page, which stays as it is. */
import { lazy, type ReactNode, Suspense } from "react"
import { useSignInRequested } from "./SignedOut.ts"

const Dialog = lazy(() => import("../pages/account/SignInAgain.tsx"))

export const SignInDialog = (): ReactNode =>
  useSignInRequested() ? (
    <Suspense>
      <Dialog />
    </Suspense>
  ) : null
