/** How the sending policy of the project acts on a contact now. */
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { Answer, Card, Facts } from "../../kit/Layout.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { contactWords } from "./words.ts"

export const SendingFacts = ({ contactId }: { readonly contactId: string }): ReactNode => {
  const { sendingState: words } = contactWords()
  const state = useRead(["contacts", contactId, "sending state"], (api, options) =>
    api.contacts.sendingState(contactId, options)
  )
  return (
    <Card title={words.title}>
      <Answer of={state} height={60}>
        {({ timezone, quietHours, caps }) => (
          <Facts
            facts={[
              [words.zone, <Foreign key="zone">{timezone}</Foreign>],
              [
                words.quietHours,
                quietHours === null ? (
                  words.none
                ) : quietHours.until === null ? (
                  words.outside
                ) : (
                  <span key="quiet">
                    {words.until} <Time at={quietHours.until} exact />
                  </span>
                )
              ],
              ...caps.map(
                ({ id, used, limit, freeAt }) =>
                  [
                    words.cap(id),
                    <span key={id}>
                      {words.used(used, limit)}
                      {freeAt !== null && (
                        <>
                          , {words.free} <Time at={freeAt} exact />
                        </>
                      )}
                    </span>
                  ] as const
              )
            ]}
          />
        )}
      </Answer>
    </Card>
  )
}
