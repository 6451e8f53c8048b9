#!/bin/sh
# Sends a mail and waits until it is out. POSTHORN_URL and POSTHORN_KEY say to which server, and for which project.
set -eu

: "${POSTHORN_URL:=http://127.0.0.1:3000}"
: "${POSTHORN_KEY:?Set it to the secret key of the project, sk_...}"
: "${FROM:=hello@posthorn.test}"

sent=$(curl -sS --fail-with-body "$POSTHORN_URL/v1/send" \
  -H "Authorization: Bearer $POSTHORN_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: example-$$" \
  -d "{\"from\":\"$FROM\",\"to\":\"anna@example.com\",\"subject\":\"Hello\",\"body\":\"<p>Hello {{firstName ?? there}}.</p>\"}")
echo "$sent"

email=$(echo "$sent" | sed 's/.*"email":"\([0-9a-f-]*\)".*/\1/')
for _ in 1 2 3 4 5 6 7 8 9 10; do
  status=$(curl -sS "$POSTHORN_URL/emails/$email" -H "Authorization: Bearer $POSTHORN_KEY" |
    sed 's/.*"status":"\([A-Z]*\)".*/\1/')
  [ "$status" = PENDING ] || [ "$status" = SENDING ] || break
  sleep 1
done
echo "$email is $status"
