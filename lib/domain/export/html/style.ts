/** The style of a page that has no other files. The colors are those of app/globals.css. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--paper:#f6f3ec;--raised:#fff;--ink:#1d1b17;--soft:#4e4940;--muted:#6c665b;--line:#e2dccf;--accent:#c23c19;--wash:#c23c1912}
@media (prefers-color-scheme:dark){:root{--paper:#0c0e11;--raised:#1a1e23;--ink:#ede9e1;--soft:#c4bfb5;--muted:#9a948a;--line:#23282e;--accent:#ff7f57;--wash:#ff7f5717}}
*{box-sizing:border-box}
html{scroll-padding-top:6rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.65 ui-sans-serif,system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
.page{display:grid;grid-template-columns:minmax(0,17rem) minmax(0,42rem);gap:3rem;justify-content:center;padding:2.5rem 1.25rem 8rem}
header{grid-column:1/-1}
h1{margin:0 0 .5rem;font-size:2rem;line-height:1.2;letter-spacing:-.02em;text-wrap:balance}
h2{margin:2.75rem 0 .25rem;font-size:1.375rem;line-height:1.3;letter-spacing:-.014em}
h3{margin:1.75rem 0 .25rem;font-size:1.0625rem;line-height:1.4}
.meta{margin:0 0 1rem;color:var(--muted);font-size:.9375rem}
.lead{max-width:46rem;color:var(--soft)}
.summary{margin:.25rem 0 1rem;color:var(--muted);font-size:.9375rem;line-height:1.55}
nav{position:sticky;top:1.5rem;align-self:start;max-height:calc(100dvh - 8rem);overflow:auto;font-size:.9375rem;line-height:1.4}
nav ol{margin:0;padding:0;list-style:none}
nav ol ol{padding-left:1rem}
nav a{display:flex;gap:.75rem;justify-content:space-between;padding:.375rem .5rem;border-radius:.375rem;color:var(--soft);text-decoration:none}
nav a:hover{background:var(--wash);color:var(--ink)}
nav time{flex:none}
nav time,.turn time{color:var(--muted);font-size:.8125rem;font-variant-numeric:tabular-nums}
.turn{margin:0 0 1rem;padding:.125rem .75rem;margin-left:-.875rem;border-left:2px solid transparent}
.turn.current{border-color:var(--accent);background:var(--wash)}
.turn p{margin:0}
.added{margin:0 0 .75rem}
.added p{margin:0}
.added .summary{margin:0 0 .25rem}
.who{display:flex;gap:.625rem;align-items:baseline;font-size:.875rem;font-weight:600}
.at{padding:0;border:0;background:none;color:inherit;font:inherit;cursor:pointer}
.at:hover time{color:var(--ink);text-decoration:underline}
.turn.current time{color:var(--soft)}
.player{position:fixed;inset:auto 0 0;display:flex;justify-content:center;padding:.75rem 1rem calc(.75rem + env(safe-area-inset-bottom));border-top:1px solid var(--line);background:var(--raised)}
.player audio{width:min(60rem,100%);height:2.75rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
main>section:first-child h2{margin-top:.375rem}
footer{grid-column:1/-1;color:var(--muted);font-size:.875rem}
@media (max-width:60rem){.page{display:block;padding-top:1.5rem}nav{position:static;max-height:none;margin:1.5rem 0;padding:.5rem;border:1px solid var(--line);border-radius:.625rem}nav a{padding:.625rem .5rem}h1{font-size:1.625rem}.at{min-height:2.75rem}}
@media print{.player,nav{display:none}.page{display:block;padding:0}.turn{break-inside:avoid}}
`
