/** The report as a CSV file. */
import type { CampaignLinks, ProviderFigures } from "@posthorn/client/session"
import { saveFile } from "../../kit/SecretOnce.tsx"
import { csvOf } from "./csv.ts"
import type { CampaignWords } from "./words.ts"

export const saveReport = (
  name: string,
  figures: ReadonlyArray<readonly [name: string, value: number, ...rest: ReadonlyArray<unknown>]>,
  links: CampaignLinks | undefined,
  providers: ReadonlyArray<ProviderFigures>,
  words: CampaignWords
): void => {
  const rows = [
    [words.name, name],
    ...figures.map(([figure, value]) => [figure, value]),
    [],
    [words.link, words.people, words.clicks],
    ...(links?.links ?? []).map(({ url, uniqueClicks, clicks, machineClicks }) => [
      url,
      uniqueClicks,
      clicks - machineClicks
    ]),
    [],
    [words.provider, words.sent, words.delivered, words.deferred, words.bounced, words.openedByPeople],
    ...providers.map(({ provider, sent, delivered, deferred, bounced, humanOpened }) => [
      provider,
      sent,
      delivered,
      deferred,
      bounced,
      humanOpened
    ])
  ]
  saveFile("campaign.csv", csvOf(rows), "text/csv")
}
