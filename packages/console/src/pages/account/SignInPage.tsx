import { useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { safePath } from "../../app/links.ts"
import { readSigned } from "../../app/Start.ts"
import { Outside } from "./Outside.tsx"
import { signInRoute } from "./routes.ts"
import { SignInForm } from "./SignInForm.tsx"
import { accountWords } from "./words.ts"

export const SignInPage = (): ReactNode => {
  const { signIn } = accountWords()
  const { to } = signInRoute.useSearch()
  const router = useRouter()
  const enter = async () => {
    await readSigned()
    router.history.replace(router.options.basepath + safePath(to))
  }
  return (
    <Outside title={signIn}>
      <SignInForm onDone={() => void enter()} />
    </Outside>
  )
}
