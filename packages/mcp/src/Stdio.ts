/** The protocol over standard input and output of this process. */
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { type Send, serverFor, type Toolbox, type Wishes } from "./index.ts"

export { toolboxOf } from "./index.ts"

/** Until the client closes standard input. The returned function ends it earlier. */
export const serve = (toolbox: Toolbox, wishes: Wishes, send: Send): { close: () => Promise<void> } =>
  serveStdio(() => serverFor(toolbox, wishes, send))
