/** All rows, in the order of the plan; a new one has its line here. */
import type { Row } from "../Row.ts"
import * as A6 from "./A6Import.ts"
import * as A7 from "./A7BulkUnsubscribe.ts"
import * as F1 from "./F1SendAccepted.ts"
import * as F2 from "./F2SendEmbedded.ts"
import * as F3 from "./F3Track.ts"
import * as F4 from "./F4Delivery.ts"
import * as F5 from "./F5AcceptToPeer.ts"
import * as F6 from "./F6Start.ts"
import * as F7 from "./F7Authenticated.ts"

export const rows: ReadonlyArray<Row> = [F1.row, F2.row, F3.row, F4.row, F5.row, F6.row, F7.row, A6.row, A7.row]
