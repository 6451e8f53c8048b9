/** Whether a test can listen on port 443 here. As a global setup, it prints a note at the end of the run if it cannot. */
import { readFileSync } from "node:fs"

/** The lowest port that any user can listen on. */
const lowestFreePort = () => {
  try {
    return Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"))
  } catch {
    return 1_024
  }
}

/** The loopback address to listen at, or why a test cannot listen. */
export const presence: { readonly address: string } | { readonly absence: string } =
  process.platform !== "linux"
    ? { absence: "only Linux has loopback addresses beside 127.0.0.1, which other programs use" }
    : process.getuid?.() === 0 || lowestFreePort() <= 443
      ? // Each process has its own address, so test runs do not disturb each other.
        { address: `127.${43 + (process.pid >> 16)}.${(process.pid >> 8) & 255}.${process.pid & 255}` }
      : { absence: "only root can listen on port 443" }

/** Runs at the end of the whole run. */
export default () => () => {
  if ("absence" in presence) {
    console.warn(`\nSKIPPED: a link host over https, as ${presence.absence}. Run the tests as root on Linux.\n`)
  }
}
