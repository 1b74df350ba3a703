# One image for all parts. The command selects one: `serve`, `serve --no-workers` or `worker --stages …` (see compose.yaml).
FROM node:20-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY worker/package.json worker/
COPY client/package.json client/
# Without CUDA libraries, and below without the binaries of other systems.
ENV ONNXRUNTIME_NODE_INSTALL=skip
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && rm -rf .next/cache .next/dev && npm prune --omit=dev \
 && rm -rf node_modules/onnxruntime-node/bin/*/darwin node_modules/onnxruntime-node/bin/*/win32

FROM node:20-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg ca-certificates \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production SERVICE_DATA_DIR=/data
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/package.json /app/package-lock.json /app/next.config.ts /app/CHANGELOG.md /app/LICENSE ./
COPY --from=build /app/worker/package.json worker/
COPY --from=build /app/client/package.json client/
COPY --from=build /app/bin bin
COPY --from=build /app/dist dist
COPY --from=build /app/.next .next
COPY --from=build /app/drizzle drizzle
COPY --from=build /app/lib/map/assets lib/map/assets
COPY --from=build /app/lib/services/evaluation/data lib/services/evaluation/data
COPY --from=build /app/public public
RUN mkdir -p /data/inbox /data/models && chown -R node:node /data
USER node
VOLUME /data
EXPOSE 8000
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["serve"]
