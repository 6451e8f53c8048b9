import { wordsOf } from "../../app/Words.ts"

export const accountWords = wordsOf({
  signIn: "Sign in",
  again: "Your session ended. Sign in again.",
  email: "Email",
  password: "Password",
  code: "Code from your authenticator app, or a recovery code",
  confirm: "Confirm",
  wrong: "Email or password is wrong.",
  continueAsDev: (email: string) => `Continue as ${email}`,
  devAbout: "This is a development server. Mail goes to the dev mailbox.",
  projects: "Projects",
  noProject: "A project has its own contacts, mails, domains and keys.",
  projectName: "Name",
  createProject: "Create project",
  role: "Role",
  name: "Name",
  state: "State",
  active: "Active",
  disabled: "Disabled"
})
