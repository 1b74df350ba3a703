/** Prevents a network that drops packets from blocking a caller forever. After a timeout the connection is closed. */
const CONNECT_TIMEOUT_MS = 8_000
const QUERY_TIMEOUT_MS = 30_000
/** TCP keep-alive probes begin after a connection has been silent for this time. */
const KEEPALIVE_DELAY_MS = 10_000

/** Client settings that detect a server that has disappeared. */
export const CLIENT_SETTINGS = {
  application_name: "earmark",
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: QUERY_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
} as const

/**
 * Server settings that detect a client that has disappeared. Its locks are released within 30 s instead of TCP's two hours.
 * They are a statement, because PgBouncer rejects such settings as connection parameters.
 */
export const SESSION_SETTINGS = `set idle_in_transaction_session_timeout = '30s'; set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = '30s'`
