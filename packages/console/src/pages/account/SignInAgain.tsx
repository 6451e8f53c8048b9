import type { ReactNode } from "react"
import { queryClient } from "../../app/Queries.ts"
import { answerSignIn } from "../../app/SignedOut.ts"
import { Dialog } from "../../kit/Dialog.tsx"
import { SignInForm } from "./SignInForm.tsx"
import { accountWords } from "./words.ts"

const SignInAgain = (): ReactNode => {
  const { again } = accountWords()
  const before = queryClient.getQueryData<{ readonly user: { readonly id: string } }>(["signed"])?.user.id
  /** Another person must not see what this one had open. */
  const done = (userId: string) => {
    if (before !== undefined && before !== userId) location.reload()
    else answerSignIn(true)
  }
  return (
    <Dialog title={again} isOpen onOpenChange={(open) => !open && answerSignIn(false)}>
      <SignInForm onDone={done} />
    </Dialog>
  )
}

export default SignInAgain
