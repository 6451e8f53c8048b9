/**
 * Skips what a run has not reached by `POSTHORN_TEST_UNTIL`, in seconds since 1970. A run with a limit then ends with a
 * count, and names what it skipped.
 */
import { beforeEach } from "vitest"

const until = Number(process.env["POSTHORN_TEST_UNTIL"] ?? Number.POSITIVE_INFINITY)

if (Date.now() / 1_000 > until) beforeEach(({ skip }) => skip("out of time"))
