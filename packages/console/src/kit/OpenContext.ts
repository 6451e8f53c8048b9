import { createContext } from "react"

/** Opens a path of the console. Without a router, the browser loads it. */
export const OpenContext = createContext((path: string): void => location.assign(path))
