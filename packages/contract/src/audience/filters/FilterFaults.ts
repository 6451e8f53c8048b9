/** Faults of a filter tree, with their places. */
import type { Fault } from "../../platform/Errors.ts"

export interface FilterFault {
  /** From the root of the tree: `["groups", 0, "filters", 1, "value"]`. */
  readonly path: ReadonlyArray<string | number>
  readonly code: Fault["code"]
  readonly message: string
  /** The faulty value; undefined when it is absent or of no use to the caller. */
  readonly received?: unknown
}

/** Most faults of a tree. A hostile tree could have any number. */
const maxFaults = 50

/** Collects faults in one list. Every place in the tree has a separate report, which writes to that list. */
export class FaultReport {
  readonly faults: Array<FilterFault>
  readonly path: FilterFault["path"]

  constructor(faults: Array<FilterFault> = [], path: FilterFault["path"] = []) {
    this.faults = faults
    this.path = path
  }

  at(...steps: FilterFault["path"]): FaultReport {
    return new FaultReport(this.faults, [...this.path, ...steps])
  }

  /** True when the list is full and parsing can stop. */
  get isFull(): boolean {
    return this.faults.length >= maxFaults
  }

  /** Returns undefined, which a reader can return in turn. */
  add(code: Fault["code"], message: string, received?: unknown): undefined {
    if (!this.isFull) this.faults.push({ path: this.path, code, message, received })
  }
}
