/** The person and the project that are open. */

import type { Project, User } from "@posthorn/client/session"
import { createContext, useContext } from "react"

export interface Opened {
  readonly user: User
  readonly projects: ReadonlyArray<Project>
  readonly project: Project
}

const Context = createContext<Opened | null>(null)

export const OpenedProvider = Context.Provider

export const useOpenedOrNull = (): Opened | null => useContext(Context)

export const useOpened = (): Opened => {
  const opened = useContext(Context)
  if (opened === null) throw new Error("No project is open.")
  return opened
}

export const useProject = (): Project => useOpened().project
export const useProjectId = (): string => useOpened().project.id
