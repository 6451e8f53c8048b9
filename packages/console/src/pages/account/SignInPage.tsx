import { Link, useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { deployment } from "../../app/Deployment.ts"
import { safePath } from "../../app/links.ts"
import { readSigned } from "../../app/Start.ts"
import { Outside } from "./Outside.tsx"
import { signInRoute } from "./routes.ts"
import { SignInForm } from "./SignInForm.tsx"
import { accountWords } from "./words.ts"

export const SignInPage = (): ReactNode => {
  const { signIn, forgot, noAccount } = accountWords()
  const { to } = signInRoute.useSearch()
  const router = useRouter()
  const target = safePath(to)
  const enter = async () => {
    await readSigned()
    router.history.replace(target.startsWith(deployment.basePath) ? target : deployment.basePath + target)
  }
  return (
    <Outside title={signIn}>
      <SignInForm onDone={() => void enter()} to={target} />
      {deployment.mode === "server" && !deployment.dev && (
        <>
          <Link to="/forgot">{forgot}</Link>
          <Link to="/sign-up">{noAccount}</Link>
        </>
      )}
    </Outside>
  )
}
