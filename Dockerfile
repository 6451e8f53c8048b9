# The server and the command line of Posthorn. `docker build -t posthorn .`, then `docker run posthorn serve`, `worker`,
# `migrate` or any other command. Needs no writable root and no rights: --read-only --cap-drop ALL.
# Settings: adapters/node/README.md. With POSTHORN_DATABASE_URL all state is in PostgreSQL, else in /data.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
# The program as it is published, with what it needs and nothing that builds it.
RUN npm ci \
 && node .ci/pack.mjs /packed posthorn @posthorn/console \
 && npm install --prefix /srv/posthorn /packed/*.tgz

FROM node:24-bookworm-slim
COPY --from=build /srv/posthorn /srv/posthorn
RUN ln -s /srv/posthorn/node_modules/.bin/posthorn /usr/local/bin/posthorn \
 && install --directory --owner=1000 --group=1000 --mode=0700 /data
ENV NODE_ENV=production \
    # Young objects get 50 MB, where Node.js would take 200.
    NODE_OPTIONS=--max-semi-space-size=16 \
    POSTHORN_HOST=0.0.0.0 \
    POSTHORN_PORT=3000 \
    POSTHORN_DATA_DIR=/data \
    POSTHORN_LOG_FORMAT=json
# The user "node". Kubernetes compares the number with runAsNonRoot.
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 3000
# Whether the process runs. Whether it can work, with its database, is GET /ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.POSTHORN_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# In exec form: the program is process 1 and gets SIGTERM. It finishes mail on the wire for up to 30 seconds.
STOPSIGNAL SIGTERM
ENTRYPOINT ["posthorn"]
CMD ["serve"]
