/** The subjects of the translations of a record, by language tag. `owner` is the table or alias of the record. */
export const subjectsOf = (owner: string): string => `
  (select coalesce(jsonb_object_agg(tag, jsonb_build_object('subject', texts -> 'subject')), '{}')
   from jsonb_each(${owner}.translations) as local(tag, texts))`
