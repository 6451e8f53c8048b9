import os, time
from posthorn import Posthorn, PosthornError

posthorn = Posthorn(os.environ["POSTHORN_KEY"], base_url=os.environ["POSTHORN_URL"])
try:
    sent = posthorn.send({"to": "anna@example.com", "from": "hi@posthorn.test", "subject": "Hi", "body": "<p>Hi</p>"})
except PosthornError as error:
    raise SystemExit(f"{error.code}: {error.message} {error.suggestion or ''}")
while (mail := posthorn.emails.get(sent["emails"][0]["email"]))["status"] in ("PENDING", "SENDING"):
    time.sleep(0.1)
print(f"The mail to {mail['to']} is {mail['status']}.")
