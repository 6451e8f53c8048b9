/** What is wrong with a filter tree, and where (contract 5.5). */
import type { Fault } from "../Errors.ts"

export interface FilterFault {
  /** From the tree's root: `["groups", 0, "filters", 1, "value"]`. */
  readonly path: ReadonlyArray<string | number>
  readonly code: Fault["code"]
  readonly message: string
  /** The value at fault; undefined when it is absent or says nothing. */
  readonly received?: unknown
}

/** More than that nobody reads, and a tree made to break things could hold any number. */
const maxFaults = 50

/** Collects faults; every place in the tree has its own, all write to one list. */
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

  /** True when reading on would only cost. */
  get isFull(): boolean {
    return this.faults.length >= maxFaults
  }

  /** Gives undefined, what a reader gives for a value it cannot read. */
  add(code: Fault["code"], message: string, received?: unknown): undefined {
    if (!this.isFull) this.faults.push({ path: this.path, code, message, received })
  }
}
