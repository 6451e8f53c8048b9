import "./styles/tokens.css"
import "./styles/base.css"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { type ReactNode, StrictMode } from "react"
import { RouterProvider as AriaRouterProvider } from "react-aria-components"
import { I18nProvider } from "react-aria-components/I18nProvider"
import { createRoot } from "react-dom/client"
import { deployment } from "./app/Deployment.ts"
import { queryClient } from "./app/Queries.ts"
import { router } from "./app/router.ts"
import { SignInDialog } from "./app/SignInDialog.tsx"
import { followSignOut } from "./app/Start.ts"
import { LanguageContext, showLanguage, useShownLanguage } from "./app/Words.ts"
import { Notices } from "./kit/Notices.tsx"
import { OpenContext } from "./kit/OpenContext.ts"

followSignOut()

const root = document.getElementById("root")
if (root === null) throw new Error("The page has no root element.")

/** Links of components lead by the router. Their paths begin with the base path. */
const navigate = (path: string) => {
  const { basePath } = deployment
  void router.navigate({ href: path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path })
}

const Localized = ({ children }: { readonly children: ReactNode }) => {
  const language = useShownLanguage()
  return (
    <LanguageContext value={language}>
      <I18nProvider locale={language}>{children}</I18nProvider>
    </LanguageContext>
  )
}

const start = () =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Localized>
          <AriaRouterProvider navigate={navigate}>
            <OpenContext value={navigate}>
              <RouterProvider router={router} />
            </OpenContext>
            <SignInDialog />
            <Notices />
          </AriaRouterProvider>
        </Localized>
      </QueryClientProvider>
    </StrictMode>
  )

void showLanguage().then(start)
