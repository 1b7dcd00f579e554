/** The style of the report. Its tokens have the names and values of the page's (src/viewer/styles/tokens.css), which a test compares. */
export const REPORT_STYLE = `
:root{color-scheme:dark;--font:"Inter Variable", system-ui, -apple-system, "Segoe UI", sans-serif;--font-code:ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
--ground:#121317;--panel-solid:#16171c;--raised-strong:rgb(255 255 255 / 0.11);--line:rgb(255 255 255 / 0.1);--text:#f3f3f6;--text-soft:#c0c2cb;--text-faint:#9a9da8;
--accent:#b9a1ff;--accent-fill:#6b48d6;--good:#6dd39b;--bad:#ff9a92;--warn:#ecc15a;--focus:#cbb8ff;
--cube-red:#e5484d;--cube-green:#35b35c;--cube-blue:#3d7bf0;--cube-yellow:#efc234;--radius:12px;--radius-small:8px;--space-3:12px}
@media (prefers-color-scheme: light){:root{color-scheme:light;
--ground:#eceaf0;--panel-solid:#fcfcfd;--raised-strong:rgb(24 20 40 / 0.09);--line:rgb(24 20 40 / 0.12);--text:#17171c;--text-soft:#41434c;--text-faint:#5d606b;
--accent:#5a37c4;--accent-fill:#5f3dcb;--good:#14713f;--bad:#b3231c;--warn:#7d5600;--focus:#5a37c4;
--cube-red:#d5363b;--cube-green:#24944a;--cube-blue:#2c69dd;--cube-yellow:#d9a900}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:14px/20px var(--font)}
main{max-width:1120px;margin:0 auto;padding:32px 16px 64px}
h1{margin:0 0 8px;font-size:24px;line-height:32px;font-weight:650;overflow-wrap:anywhere}
h2{margin:32px 0 var(--space-3);font-size:16px;line-height:24px;font-weight:600}
.lead{margin:0;color:var(--text-soft)}
.hint{margin:0 0 var(--space-3);color:var(--text-faint);font-size:13px}
.card{margin:0 0 var(--space-3);padding:12px 16px;border:1px solid var(--line);border-radius:var(--radius);background:var(--panel-solid)}
.wide{overflow-x:auto}
table{width:100%;min-width:600px;border-collapse:collapse}td:first-child{min-width:180px}
th{color:var(--text-faint);font-size:12px;font-weight:500}
th,td{padding:8px 16px 8px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
tbody tr:last-child td{border-bottom:0}
details.card{border-left:4px solid var(--good)}details.failed{border-left-color:var(--bad)}details.error{border-left-color:var(--warn)}
summary{cursor:pointer;overflow-wrap:anywhere}
.passed b{color:var(--good)}.failed b{color:var(--bad)}.error b{color:var(--warn)}
.better{color:var(--good)}.worse{color:var(--bad)}
a{color:var(--accent)}a:focus-visible,summary:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:var(--radius-small)}
code{font:12px/18px var(--font-code);overflow-wrap:anywhere}
.bar{width:160px;height:16px}.bar-ground{fill:var(--raised-strong)}.bar-interval{fill:var(--accent-fill);opacity:.6}.bar-rate{fill:var(--accent)}
svg,img{max-width:100%;height:auto}img{border-radius:var(--radius-small)}
.plan{border-radius:var(--radius-small);background:var(--ground)}
.ends{display:flex;flex-wrap:wrap;gap:var(--space-3)}figure{margin:4px 0}figcaption{color:var(--text-faint);font-size:12px}
`;
