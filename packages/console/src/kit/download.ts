/** Downloads a stream of the API as a file, with a count of its bytes. */
import type { Call } from "@posthorn/client/session"
import { saveFile } from "./SecretOnce.tsx"

export const download = async (
  name: string,
  type: string,
  call: Call<ReadableStream<Uint8Array>>,
  onBytes: (bytes: number) => void
): Promise<void> => {
  const stream = await call.orThrow()
  const parts: Array<Uint8Array<ArrayBuffer>> = []
  let bytes = 0
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(new Uint8Array(value))
    bytes += value.length
    onBytes(bytes)
  }
  saveFile(name, new Blob(parts), type)
}
