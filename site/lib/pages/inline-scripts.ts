import { createHash } from 'node:crypto';
import { languages } from '#content/locales.ts';
import { sessionMark, storageKey } from '#content/site.ts';

/**
 * Runs before the first paint, so it is inline: the chosen theme, whether stars are selected (no flash of the wrong feed),
 * whether somebody is logged in (no flash of the login button), whether the clock is another than Korea's (no line that comes
 * late; its offset is free to ask, where a zone's name loads the tables of zones) and the redirect's timestamp leaving the
 * address bar (decision L3). A script that cannot be loaded shows the start-up failure. What was pressed last before its script
 * had come is pressed again when it has; whoever answers a press says so by `preventDefault`. Keep it under 1 kB.
 */
const beforePaint = `(()=>{const d=document.documentElement;try{const s=localStorage,t=s.getItem("${storageKey}:theme");if(t==="light"||t==="dark")d.dataset.theme=t;const n=JSON.parse(s.getItem("${storageKey}:preferences")||"{}").selectedStarIds;if(Array.isArray(n)&&n.length)d.dataset.stars=n.length;if(s.getItem("auth_token")||document.cookie.includes("${sessionMark}="))d.dataset.user=""}catch{}const u=new URL(location.href);if(u.searchParams.has("t")){u.searchParams.delete("t");history.replaceState(history.state,"",u)}if(new Date().getTimezoneOffset()!==-540)d.dataset.abroad="";d.classList.add("js");const f=e=>{const s=e.target;if(e.type!=="error"||s.src&&s.tagName==="SCRIPT")d.dataset.failed=navigator.onLine?"":"offline"};for(const n of["error","vite:preloadError"])addEventListener(n,f,true);let p;const q="[data-follow],[data-like],[data-share]",k=e=>{if(e.target.closest(q))p=e};addEventListener("click",k,true);addEventListener("DOMContentLoaded",()=>{removeEventListener("click",k,true);if(p&&!p.defaultPrevented)p.target.closest(q)?.click()})})()`;

/**
 * On pages without a prefix (decision L4): a language chosen in this browser, or without one in the address the one
 * detected earlier, is asked for by `?lang=` before anything is painted.
 */
const storedLanguage = `(()=>{try{const k="${storageKey}:",d=document.documentElement,u=new URL(location.href),a=u.searchParams.get("lang"),l=localStorage.getItem(k+"language")||!a&&sessionStorage.getItem(k+"detected-language");if(${JSON.stringify(languages)}.includes(l)&&l!==d.lang&&l!==a){u.searchParams.set("lang",l);d.style.visibility="hidden";location.replace(u)}}catch{}})()`;

/**
 * The language-redirect screen (§2, decisions L2, L3). Order: explicit choice, language detected earlier in this session,
 * the server's detection (3 s), the browser's languages, Korean. Guarded for 5 s against loops; a navigation without
 * effect is forced after 800 ms, at once when it failed; one that was only slow leaves no second entry to go back through. Every error
 * ends at /ko.
 */
const redirect = `(async()=>{const k="${storageKey}:",langs=${JSON.stringify(languages)},ok=l=>langs.includes(l),say=(n,v)=>{const e=document.querySelector("[data-debug="+n+"]");if(e)e.textContent=String(v)};
const bare=()=>location.pathname==="/"?"":location.pathname;
const go=(l,why)=>{const u=new URL("/"+l+bare()+location.search,location.origin);u.searchParams.set("t",String(Date.now()));say("language",l+" ("+why+")");say("target",u.pathname+u.search);try{sessionStorage.setItem(k+"redirect-started",String(Date.now()))}catch{}
let wait=800;try{location.replace(u.href)}catch{wait=0}setTimeout(()=>{location.replace(u.href)},wait)};
document.querySelector("[data-continue]")?.addEventListener("click",e=>{e.preventDefault();try{localStorage.setItem(k+"language","ko")}catch{}go("ko","choice")});
try{say("path",location.pathname+location.search);say("browser",navigator.languages.join(", "));
const last=Number(sessionStorage.getItem(k+"redirect-started")||0);if(Date.now()-last<5000){say("language","guard");document.documentElement.dataset.guard="held";return}
const chosen=localStorage.getItem(k+"language")||"";if(ok(chosen))return go(chosen,"stored");
const before=sessionStorage.getItem(k+"detected-language")||"";if(ok(before))return go(before,"session");
try{const r=await fetch("/api/detect-language",{signal:AbortSignal.timeout(3000),headers:{accept:"application/json"}});const {detectedLanguage:d}=await r.json();if(r.ok&&ok(d)){sessionStorage.setItem(k+"detected-language",d);return go(d,"server")}}catch(e){say("error",e)}
const mine=navigator.languages.map(l=>l.slice(0,2).toLowerCase()).find(ok);go(mine||"ko",mine?"browser":"default")}catch(e){say("error",e);location.replace("/ko")}})()`;

/**
 * Behind a `<noscript>` of style sheets: asks for them when the page is read this far. Browsers look ahead for links and would
 * ask for them at once with the largest picture; where both came together, it was painted only when the whole page had been
 * laid out, 120–160 ms later on a slow phone. Only what the parser writes does it wait for.
 */
const writeSheets = 'document.write(document.currentScript.previousSibling.textContent)';

/** Behind style sheets in the body: a browser that would go on without them waits for them before it runs a script. */
const waitForSheets = ';';

/** How a content security policy names an inline script or style. */
export const cspHash = (source: string) =>
  `sha256-${createHash('sha256').update(source).digest('base64')}` as const;

export const inlineScripts = {
  beforePaint: { source: beforePaint, hash: cspHash(beforePaint) },
  storedLanguage: { source: storedLanguage, hash: cspHash(storedLanguage) },
  writeSheets: { source: writeSheets, hash: cspHash(writeSheets) },
  waitForSheets: { source: waitForSheets, hash: cspHash(waitForSheets) },
  redirect: { source: redirect, hash: cspHash(redirect) },
};
