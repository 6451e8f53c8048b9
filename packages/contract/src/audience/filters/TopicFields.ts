/** The fields about topics: `topic.<key>`, the state of a contact, and `topic.<key>.takes`, whether it takes its mail. */

const form = /^topic\.([a-z0-9][a-z0-9_-]{0,63})(\.takes)?$/

/** Undefined if the text is no such field. */
export const topicKey = (text: string): { readonly key: string; readonly isTaking: boolean } | undefined => {
  const [, key, takes] = form.exec(text) ?? []
  return key === undefined ? undefined : { key, isTaking: takes !== undefined }
}
