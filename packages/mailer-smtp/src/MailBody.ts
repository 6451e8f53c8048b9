/** The body of a message as a stream that records how much of it was sent. */
import { Readable } from "node:stream"

const sliceBytes = 65_536

export class MailBody extends Readable {
  /** The peer has accepted DATA. */
  begun = false
  /** Every byte was read, so the final dot may have been sent as well. */
  taken = false
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    super({ highWaterMark: sliceBytes })
    this.#bytes = bytes
    this.once("end", () => {
      this.taken = true
    })
  }

  override _read() {
    this.begun = true
    const slice = this.#bytes.subarray(this.#position, this.#position + sliceBytes)
    this.#position += slice.length
    this.push(slice.length === 0 ? null : slice)
  }
}
