# syntax=docker/dockerfile:1
# This file has not been built: there was no container engine where it was written. Treat the first build as a test.
ARG NODE_VERSION=24.21.0

# Generates what is not committed and renders the reference; needs the tools of development.
FROM node:${NODE_VERSION}-bookworm-slim AS reference
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY archive/package.json archive/
COPY cli/package.json cli/
COPY client/package.json client/
COPY cloning/package.json cloning/
COPY mcp/package.json mcp/
COPY conformance/package.json conformance/
COPY console/package.json console/
COPY server/package.json server/
COPY testkit/package.json testkit/
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/generate.ts --if-stale && npm run console && npm run docs

# What the service needs at run time, and nothing else.
FROM node:${NODE_VERSION}-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY archive/package.json archive/
COPY cli/package.json cli/
COPY client/package.json client/
COPY cloning/package.json cloning/
COPY mcp/package.json mcp/
COPY conformance/package.json conformance/
COPY console/package.json console/
COPY server/package.json server/
COPY testkit/package.json testkit/
RUN npm ci --omit=dev --ignore-scripts

FROM node:${NODE_VERSION}-bookworm-slim
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=8 \
    HOST=0.0.0.0 \
    PORT=4000 \
    DATABASE_URL=sqlite:/data/workspace.db \
    FILES_URL=file:/data/files
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=reference /app/docs docs
COPY package.json LICENSE ./
COPY bin bin
COPY --from=reference /app/generated generated
COPY archive archive
COPY cli cli
COPY client client
COPY cloning cloning
COPY mcp mcp
COPY conformance conformance
COPY --from=reference /app/console/dist console/dist
COPY server server
COPY testkit testkit
RUN install -d -o node -g node /data && ln -s /app/bin/workspace-service.cjs /usr/local/bin/workspace-service
USER node
VOLUME /data
EXPOSE 4000
# HOST is reached from outside, so one of TLS_CERT with TLS_KEY, TRUST_PROXY or ALLOW_PLAIN_HTTP has to be set; see OPERATIONS.md.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/bin/workspace-service.cjs"]
CMD ["serve"]
