const CONNECT_MS = 8_000
/** A network that swallows packets must not hold a caller for ever: what is not answered by then is lost with its connection. */
const QUERY_MS = 30_000
/** A peer that is silent for so long is asked whether it is still there. */
const SILENT_MS = 10_000

/** How a connection of ours finds out that its peer is gone without a word. */
export const CLIENT_TIMEOUTS = {
  application_name: "earmark",
  connectionTimeoutMillis: CONNECT_MS,
  query_timeout: QUERY_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: SILENT_MS,
} as const

/**
 * And how the server does: a process behind a link that was cut lets go of its locks within half a minute, not after the
 * two hours that TCP gives it. Said by a statement, because PgBouncer takes no such thing at the start of a connection.
 */
export const SESSION = `set idle_in_transaction_session_timeout = '30s'; set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = '30s'`
