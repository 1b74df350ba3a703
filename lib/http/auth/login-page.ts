import { escapeHtml } from "../../domain/text/escape-html.ts"

/** The colors of app/globals.css, repeated because this page cannot load a file that requires authentication. */
const STYLE = `
:root{color-scheme:light dark;--paper:#f6f3ec;--raised:#fff;--ink:#1d1b17;--muted:#6c665b;--line:#cbc3b3;--accent:#c23c19;--on:#fff;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--paper:#0c0e11;--raised:#1a1e23;--ink:#ede9e1;--muted:#9a948a;--line:#3a4048;--accent:#ff7f57;--on:#1b0d07;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:grid;place-items:center;padding:1.25rem;background:var(--paper);color:var(--ink);font:0.9375rem/1.6 ui-sans-serif,system-ui,sans-serif}
main{width:100%;max-width:22rem}
h1{margin:0 0 .5rem;font-size:1.75rem;line-height:1.2;letter-spacing:-.024em}
p{margin:0 0 1.25rem;color:var(--muted)}
label{display:block;margin-bottom:.375rem;font-weight:560}
input{width:100%;height:2.75rem;padding:0 .875rem;border:1px solid var(--line);border-radius:.625rem;background:var(--raised);color:inherit;font:inherit}
button{margin-top:1rem;height:2.75rem;padding:0 1.25rem;border:0;border-radius:999px;background:var(--accent);color:var(--on);font:inherit;font-weight:560;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
[role=alert]{color:var(--bad)}
`

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Earmark</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body><main>${body}</main></body>
</html>
`

/**
 * Renders the form that asks for the token. It works without scripts.
 * @param next the path to open after signing in
 */
export const renderLoginPage = (next: string, error?: string): string =>
  page(
    "Sign in",
    `<h1>Sign in to Earmark</h1>
<p>Enter an API token, or the value of SERVICE_API_TOKEN.</p>
${error === undefined ? "" : `<p role="alert">${escapeHtml(error)}</p>`}
<form method="post" action="/login">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Sign in</button>
</form>`,
  )

export const renderSignedInPage = (): string =>
  page(
    "Signed in",
    `<h1>You’re signed in</h1>
<p><a href="/">Open your recordings</a></p>
<form method="post" action="/logout"><button>Sign out</button></form>`,
  )
