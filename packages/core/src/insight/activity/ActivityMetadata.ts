/** The `metadata` of an entry by its kind, from the row with its id. It never contains the text of a mail. */

/** Requires `campaigns` and `segments`. */
export const campaignMetadata = `
  jsonb_build_object(
    'campaignId', campaigns.id, 'campaignName', campaigns.name, 'subject', campaigns.subject,
    'totalRecipients', coalesce(campaigns.audience, campaigns.estimated_recipients),
    'audienceType', campaigns.audience_type, 'segmentName', segments.name)`

/** Requires `executions`, as rows of `workflow_executions`, and `workflows`. */
const executionMetadata = `
  jsonb_build_object(
    'workflowId', executions.workflow_id, 'workflowName', workflows.name, 'executionId', executions.id,
    'status', executions.status, 'exitReason', executions.exit_reason)`

const ofTopic = `
  jsonb_build_object('topicId', events.data -> 'topicId', 'topicKey', events.data -> 'topicKey',
                     'reason', events.data -> 'reason')`

/** Requires `page` with the entries, and the tables that they may refer to. */
export const metadata = `
  case page.kind
    when 'mail' then
      jsonb_build_object(
        'emailId', emails.id, 'subject', emails.subject, 'from', emails.from_email, 'fromName', emails.from_name,
        'to', emails.to_email, 'toName', emails.to_name, 'replyTo', emails.reply_to, 'sourceType', emails.source_type,
        'campaignId', emails.campaign_id, 'campaignName', campaigns.name, 'workflowId', emails.workflow_id,
        'workflowName', workflows.name)
      || case page.suffix
           when 'opened' then jsonb_build_object('totalOpens', emails.opens)
           when 'clicked' then jsonb_build_object('totalClicks', emails.clicks)
           else '{}' end
      || case when page.suffix in ('bounced', 'failed', 'suppressed') and emails.error_code is not null
           then jsonb_build_object('error', jsonb_build_object('code', emails.error_code,
                                                               'message', coalesce(emails.error_message, '')))
           else '{}' end
    when 'campaign' then
      ${campaignMetadata}
    when 'execution' then
      ${executionMetadata}
    else case page.type
      when 'event.triggered' then jsonb_build_object('eventName', events.name, 'eventData', events.data)
      when 'email.received' then
        jsonb_build_object('inboundId', events.data -> 'inboundId', 'from', events.data -> 'from',
                           'to', events.data -> 'to', 'subject', events.data -> 'subject')
      when 'contact.confirmed' then
        jsonb_build_object('optInId', events.data -> 'optInId', 'subscribe', events.data -> 'subscribe',
                           'topics', events.data -> 'topics', 'source', events.data -> 'source')
      when 'contact.merged' then jsonb_build_object('mergedContactId', events.data -> 'mergedContactId')
      when 'form.submitted' then
        jsonb_build_object('formId', events.data -> 'formId', 'formKey', events.data -> 'formKey',
                           'topics', events.data -> 'topics', 'status', events.data -> 'status')
      when 'topic.subscribed' then ${ofTopic}
      when 'topic.unsubscribed' then ${ofTopic}
      else jsonb_build_object('reason', events.data -> 'reason') end
  end`
