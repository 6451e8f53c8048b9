/** The result of one check of the installation. */

export interface Finding {
  /** `database`, `migrations`, `smtp1`, ... */
  readonly check: string
  /** `warning`: it works, but should be changed. `skipped`: there was nothing to check. */
  readonly state: "ok" | "warning" | "failed" | "skipped"
  /** One sentence without secrets. */
  readonly found: string
  /** What to do; empty if there is nothing to do. */
  readonly fix: string
}

export const ok = (check: string, found: string): Finding => ({ check, state: "ok", found, fix: "" })
export const skipped = (check: string, found: string): Finding => ({ check, state: "skipped", found, fix: "" })
export const warning = (check: string, found: string, fix: string): Finding => ({ check, state: "warning", found, fix })
export const failed = (check: string, found: string, fix: string): Finding => ({ check, state: "failed", found, fix })
