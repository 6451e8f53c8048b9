/**
 * The command of the CLI for each operation that has one. The samples call all others with `posthorn api`. Placeholders
 * such as `{campaign}` are ids.
 */
export const commandSamples: { readonly [operationId: string]: string } = {
  track: `track ada@example.com --event signed_up \\
  --data '{"plan":"pro"}' --key "$POSTHORN_PUBLIC_KEY"`,
  send: `send --to ada@example.com --from hello@mail.example.com \\
  --subject 'Welcome, {{firstName ?? there}}' \\
  --body '<p>Good to see you.</p>' \\
  --data '{"firstName":"Ada"}'`,
  "templates.test": "templates test Welcome --email ada@example.com",
  batch: `send --file receipts.ndjson --from hello@mail.example.com \\
  --subject 'Your receipt' --body '<p>Thank you.</p>' --no-atomic`,
  verify: "verify ada@example.com",

  "contacts.list": "contacts list --search @example.com --subscribed --limit 20",
  "contacts.upsert": `contacts upsert ada@example.com --subscribed \\
  --data '{"firstName":"Ada","plan":"pro"}'`,
  "contacts.get": "contacts get ada@example.com",
  "contacts.update": 'contacts upsert ada@example.com --no-subscribed --data \'{"plan":"free"}\'',
  "contacts.delete": "contacts delete ada@example.com --yes",
  "contacts.links": "contacts links ada@example.com",
  "contacts.merge": "contacts merge ada@example.com ada@work.example --dry-run",
  "contacts.query": `contacts query --sort email --dir asc --limit 20 \\
  --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`,
  "contacts.count": `contacts count --for MARKETING \\
  --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`,
  "contacts.bulk": `contacts bulk unsubscribe --yes \\
  --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`,
  "contacts.exportSelected": `contacts export \\
  --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`,
  "contacts.segments": "contacts segments ada@example.com",
  "contacts.lookup": "contacts lookup ada@example.com bob@example.com",
  "contacts.import": "contacts import people.csv",
  "contacts.export": "contacts export --out people.csv",

  "contacts.importErrors": "contacts import-errors {job} --out faulty.csv",
  "contacts.topics": "contacts topics ada@example.com",
  "contacts.consents": "contacts consents ada@example.com",
  "topics.contacts": "topics contacts news --state subscribed --limit 50",
  "consents.list": "consents list --email ada@example.com",
  "consents.export": "consents export --out consents.csv",
  "topics.list": "topics list --archived all",
  "topics.create": "topics create News --default unsubscribed --description 'Once a month.'",
  "topics.get": "topics show news",
  "topics.update": "topics update news --description 'Twice a month.'",
  "topics.delete": "topics delete news --yes",
  "topics.usage": "topics usage news",
  "segments.list": "segments list",
  "segments.create": `segments create 'Pro users' --track-membership \\
  --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`,
  "segments.get": "segments show pro-users",
  "segments.update": "segments update pro-users --name 'Paying users'",
  "segments.delete": "segments delete pro-users --yes",
  "segments.contacts": "segments members pro-users --limit 50",
  "segments.addMembers": "segments add press --emails ada@example.com --create-missing",
  "segments.removeMembers": "segments remove press --emails ada@example.com",
  "segments.compute": "segments compute pro-users",
  "segments.refresh": "segments refresh pro-users",

  "forms.list": "forms list",
  "forms.create": "forms push forms/newsletter.yaml --yes",
  "forms.update": "forms push forms/newsletter.yaml --yes",
  "forms.snippet": "forms snippet newsletter",

  "templates.list": "templates list --search welcome --type MARKETING",
  "templates.create": "templates push templates/welcome.html --yes",
  "templates.get": "templates get Welcome",
  "templates.update": "templates push templates/welcome.html --yes",
  "templates.versions": "templates versions Welcome",
  "templates.restore": "templates restore Welcome 3",
  "templates.publish": "templates publish Welcome",
  "templates.links": "templates links Welcome",
  "templates.stats": "templates stats Welcome",
  "templates.render": `templates render Welcome --contact ada@example.com --data '{"firstName":"Ada"}'`,

  "partials.list": "partials list --search footer",
  "partials.create": `partials create footer --body '<p>{{shop.address}}</p>' \\
  --text '{{shop.address}}'`,
  "partials.get": "partials get footer",
  "partials.update": "partials update footer --body '<p>{{shop.name}}, {{shop.address}}</p>'",
  "partials.delete": "partials delete footer --yes",
  "partials.usage": "partials usage footer",
  "partials.versions": "partials versions footer",
  "partials.restore": "partials restore footer 3",
  "partials.publish": "partials publish footer",

  "campaigns.list": "campaigns list --status SENT",
  "campaigns.create": `campaigns create --name Launch --from hello@mail.example.com \\
  --subject 'Welcome, {{firstName ?? there}}' \\
  --body '<p>Good to see you.</p>'`,
  "campaigns.get": "campaigns show {campaign}",
  "campaigns.update": `campaigns update {campaign} --name Launch --from hello@mail.example.com \\
  --subject 'Welcome, {{firstName ?? there}}' \\
  --body '<p>Good to see you.</p>' \\
  --audience-condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`,
  "campaigns.delete": "campaigns delete {campaign} --yes",
  "campaigns.duplicate": "campaigns duplicate {campaign}",
  "campaigns.followUp": "campaigns follow-up {campaign} --who NOT_OPENED --subject 'Did you see this?'",
  "campaigns.send": "campaigns schedule {campaign} --scheduled-for 2099-12-24T09:00:00Z",
  "campaigns.setRecurrence": "campaigns recur {campaign} --schedule '0 9 * * MON' --timezone Europe/Berlin",
  "campaigns.removeRecurrence": "campaigns recur {campaign} --remove",
  "campaigns.cancel": "campaigns cancel {campaign}",
  "campaigns.pause": "campaigns pause {campaign}",
  "campaigns.resume": "campaigns resume {campaign}",
  "campaigns.requestApproval": "campaigns request-approval {campaign} --note 'Please check the prices.'",
  "campaigns.approve": "campaigns approve {campaign} --note 'Prices are right.'",
  "campaigns.reject": "campaigns reject {campaign} --note 'The second price is wrong.'",
  "campaigns.retryFailed": "campaigns retry-failed {campaign}",
  "campaigns.test": "campaigns test {campaign} --email ada@example.com",
  "campaigns.experiment": "campaigns experiment {campaign}",
  "campaigns.decideExperiment": "campaigns experiment {campaign} --winner B",
  "campaigns.stats": "campaigns stats {campaign}",
  "campaigns.links": "campaigns links {campaign}",
  "campaigns.providers": "campaigns providers {campaign}",
  "campaigns.recipients": "campaigns recipients {campaign} --status DELIVERED --all",

  "search.find": "search welcome",
  "projects.audit": "projects audit Shop --action 'campaign.*'",
  "workflows.list": "workflows list --status active",
  "workflows.create": "workflows push workflows/welcome.yaml --yes",
  "workflows.replaceGraph": "workflows push workflows/welcome.yaml --workflow Welcome",
  "workflows.get": "workflows pull Welcome",
  "executions.start": 'workflows run Welcome ada@example.com --context \'{"plan":"pro"}\'',
  "executions.ofContact": "contacts executions ada@example.com --status RUNNING,WAITING",
  "executions.list": "workflows executions Welcome --status RUNNING,WAITING",

  "domains.list": "domains list",
  "domains.add": "domains add news.example.com",
  "domains.update": "domains link-host news.example.com links.news.example.com",
  "domains.remove": "domains remove news.example.com --yes",
  "domains.verify": "domains verify news.example.com",
  "domains.health": "domains health news.example.com",
  "domains.dmarc": "domains dmarc news.example.com",
  "domains.warmup": "domains warmup news.example.com",
  "domains.setWarmup": "domains warmup news.example.com --preset STANDARD --hours 08:00-18:00",
  "domains.removeWarmup": "domains warmup news.example.com --remove --yes",
  "domains.pauseWarmup": "domains warmup news.example.com --pause",
  "domains.resumeWarmup": "domains warmup news.example.com --resume",

  "emails.list": "emails list --status BOUNCED,FAILED --limit 20",
  "emails.get": "emails show {email}",
  "emails.update": "emails reschedule {email} 2026-03-02T09:00:00Z --yes",
  "emails.cancel": "emails cancel {email}",
  "emails.retry": "emails retry {email}",

  "deliverability.providers": "providers list",
  "analytics.providers": "analytics providers --start-date 2026-03-01 --end-date 2026-03-31",

  "views.list": "views list --page mails",
  "views.create": "views save mails Bounced --query state=BOUNCED",
  "views.remove": "views delete {view}",
  "uploads.images": "images list --limit 20",
  "uploads.removeImage": "images delete 9f2c1d0e5b7a48c6a3f1e2d4b6c8091a2b3c4d5e6f708192a3b4c5d6e7f80912.png --yes",

  "optIns.request": "contacts opt-in ask ada@example.com --redirect-url https://acme.example/welcome",
  "optIns.ofContact": "contacts opt-in list ada@example.com",
  "optIns.cancel": "contacts opt-in cancel ada@example.com",

  "privacyRequests.list": "privacy list --status OPEN",
  "privacyRequests.complete": "privacy complete {privacyRequest} --yes",
  "privacyRequests.refuse": "privacy refuse {privacyRequest} --note 'We must keep your invoices.'",

  "suppressions.list": "suppressions list --reason COMPLAINT",
  "suppressions.add": "suppressions add gone@example.com --note 'Asked by phone'",
  "suppressions.export": "suppressions export --out suppressed.csv",
  "suppressions.get": "suppressions get ada@example.com",
  "suppressions.remove": "suppressions remove ada@example.com --yes",

  "events.list": "events tail --event-name signed_up",

  "transports.list": "transports list",
  "transports.create": "transports add Marketing --host smtp.example.com --user apikey --password secret",
  "transports.verify": "transports verify Marketing",
  "transports.remove": "transports remove Marketing --yes",
  "transports.routes": "transports routes",
  "transports.setRoutes": "transports routes routes.json",

  "webhooks.list": "webhooks list",
  "webhooks.create": "webhooks add https://app.example.com/hooks/mail --events 'email.*'",
  "webhooks.get": "webhooks get {webhook}",
  "webhooks.update": "webhooks update {webhook} --events 'email.*' --events contact.unsubscribed",
  "webhooks.remove": "webhooks remove {webhook} --yes",
  "webhooks.rotateSecret": "webhooks rotate-secret {webhook} --yes",
  "webhooks.test": "webhooks test {webhook}",
  "webhooks.deliveries": "webhooks deliveries {webhook} --status SUCCEEDED",
  "webhooks.delivery": "webhooks deliveries {webhook} {delivery}",
  "webhooks.replay": "webhooks replay {webhook} --start-date 2026-03-01 --status missed",

  "apiKeys.list": "keys list",
  "apiKeys.create": "keys create Shop --scopes send --scopes emails:read --sender-domains mail.example.com",
  "apiKeys.rotate": "keys rotate {apiKey} --overlap-hours 48 --yes",
  "apiKeys.remove": "keys revoke {apiKey} --yes",

  "projects.current": "whoami",

  "auth.login": "login --email ada@example.com",
  "auth.twoFactor": "login --email ada@example.com --code 123456",
  "auth.logout": "logout",
  "users.projects": "projects list",
  "users.createProject": "projects create Shop",
  "accountSessions.list": "account sessions list",
  "accountSessions.removeOthers": "account sessions revoke --others --yes",
  "accountSessions.remove": "account sessions revoke {session} --yes",
  "twoFactor.state": "account two-factor status",
  "twoFactor.setUp": "account two-factor on",
  "twoFactor.confirm": "account two-factor confirm --code 123456",
  "twoFactor.remove": "account two-factor off --code 123456",
  "ownProjects.remove": "projects delete Shop --yes",
  "ownProjects.regenerateKeys": "projects rotate-keys Shop --yes",
  "ownProjects.reset": "projects reset Shop --yes",
  "members.list": "projects members Shop",
  "members.invite": "projects invite bob@example.com --role MEMBER",
  "members.update": "projects set-role bob@example.com --role ADMIN",
  "members.remove": "projects remove-member bob@example.com --yes",
  "ownInvitations.list": "projects invitations",
  "ownInvitations.accept": "projects accept {invitation}",
  "ownInvitations.decline": "projects decline {invitation}"
}
