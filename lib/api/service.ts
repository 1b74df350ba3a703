import * as z from "zod"
import { readiness } from "../domain/health.ts"
import { installation } from "../domain/installation.ts"
import type { Endpoints } from "./endpoint.ts"

const health = z.object({ status: z.literal("ok").describe("The process answers") })

export const serviceEndpoints = {
  health: {
    method: "GET",
    path: "/health",
    scope: null,
    summary: "Returns 200 while the web process is running",
    call: "health",
    response: { name: "Health", schema: health },
  },
  readiness: {
    method: "GET",
    path: "/health/ready",
    scope: "read",
    summary: "Returns the state of each component. Answers 503 if the database, the broker or all workers are down",
    call: "readiness",
    response: { name: "Readiness", schema: readiness },
    otherStatuses: { 503: { description: "An essential component is down", hasBody: true } },
  },
  installation: {
    method: "GET",
    path: "/installation",
    scope: "read",
    summary: "Returns the engines in use, the queues and the workers",
    call: "installation",
    needs: ["rag"],
    response: { name: "Installation", schema: installation },
  },
  openapi: {
    method: "GET",
    path: "/openapi.json",
    scope: "read",
    summary: "Returns this document",
    types: ["application/json"],
    headers: ["ETag"],
    otherStatuses: { 304: { description: "Not modified", headers: ["ETag"] } },
  },
} as const satisfies Endpoints
