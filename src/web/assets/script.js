// Search as one types, the slider, keys, ranges of lines. Every page works without it.
"use strict";

const get = (id) => document.getElementById(id);

// The page at an address, without loading the frame again.
let loading = null;
async function visit(address, how) {
  if (loading) loading.abort();
  const mine = (loading = new AbortController());
  let response;
  try {
    response = await fetch(address, { signal: mine.signal, headers: { Accept: "text/html" } });
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address);
    return;
  }
  const kind = response.headers.get("Content-Type") || "";
  if (!kind.startsWith("text/html")) return location.assign(address);
  const text = await response.text().catch(() => null);
  if (text === null || mine !== loading) return;
  const next = new DOMParser().parseFromString(text, "text/html");
  const place = new URL(response.url);
  place.hash = new URL(address, location).hash;
  for (const id of ["main", "time"]) {
    const [old, fresh] = [get(id), next.getElementById(id)];
    // The slider that is being dragged stays.
    if (id === "time" && how === "drag" && old && fresh) {
      for (const part of [".moment", ".steps", "#strip"]) {
        const [from, to] = [fresh.querySelector(part), old.querySelector(part)];
        if (from && to) to.replaceWith(document.adoptNode(from));
      }
      continue;
    }
    if (old && fresh) old.replaceWith(document.adoptNode(fresh));
    else if (old || fresh) return location.assign(address);
  }
  for (const part of ["footer", ".top nav", ".brand"]) {
    const [from, to] = [next.querySelector(part), document.querySelector(part)];
    if (from && to) to.replaceWith(document.adoptNode(from));
  }
  document.title = next.title;
  if (how === "push") history.pushState(null, "", place);
  else if (how !== "back") history.replaceState(null, "", place);
  const at = place.searchParams.get("at");
  let field = document.querySelector(".search input[name=at]");
  if (at && !field) {
    field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "at" });
    document.querySelector(".search").append(field);
  }
  if (field) at ? (field.value = at) : field.remove();
  prepare(how);
}

// The page that is shown, without its fragment: leading to a part of it loads nothing.
let shown = "";
const pageOf = (address) => new URL(address, location).href.split("#")[0];
addEventListener("popstate", () => {
  if (pageOf(location) !== shown) visit(location.href, "back");
});

// ---- Time ----
const stops = () => [...document.querySelectorAll("#strip a")];
const addressOf = (stop) => stop.getAttribute("href");
let playing = null;
let timer = 0;
let dragged = false;

function prepare(how) {
  shown = pageOf(location);
  const slider = get("slider");
  if (slider) {
    slider.hidden = false;
    if (how !== "drag") {
      slider.addEventListener("input", () => {
        const stop = stops()[slider.value];
        if (!stop) return;
        const name = stop.querySelector("title").textContent;
        slider.setAttribute("aria-valuetext", name);
        document.querySelector(".moment").textContent = name;
        clearTimeout(timer);
        timer = setTimeout(() => {
          // The first step of a drag makes an entry in the history, the others replace it.
          if (!dragged) history.pushState(null, "", location.href);
          dragged = true;
          visit(addressOf(stop), "drag");
        }, 120);
      });
      slider.addEventListener("change", () => setTimeout(() => (dragged = false), 200));
    }
  }
  const play = get("play");
  if (play) {
    play.hidden = stops().length < 2;
    play.textContent = playing ? "Pause" : "Play";
    play.addEventListener("click", () => (playing ? pause() : start()));
  }
  lines();
}

function pause() {
  clearInterval(playing);
  playing = null;
  const play = get("play");
  if (play) play.textContent = "Play";
}

// From the moment of the page, or the first, through the marks; without marks, every revision.
function start() {
  const all = stops();
  const marks = all.filter((stop) => stop.classList.contains("mark"));
  const some = marks.length > 1 ? marks : all;
  const here = all.findIndex((stop) => stop.classList.contains("here"));
  const after = some.filter((stop) => all.indexOf(stop) > here);
  const rest = (after.length ? after : some).map(addressOf);
  const step = () => {
    const next = rest.shift();
    if (!next) return pause();
    visit(next, "replace");
  };
  playing = setInterval(step, 1200);
  step();
}

document.addEventListener("click", (event) => {
  const stop = event.target.closest && event.target.closest("#strip a, .steps > a");
  if (!stop || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  visit(addressOf(stop), "push");
});

// ---- Search ----
const field = get("q");
const found = get("found");
let asked = "";
let asking = 0;

function close() {
  if (found) found.hidden = true;
}

if (field && found) {
  field.addEventListener("input", () => {
    clearTimeout(asking);
    asking = setTimeout(async () => {
      // A blank at the end says that the last word is whole.
      const question = field.value.trimStart();
      asked = question;
      if (!question) return close();
      const address = new URL("/search", location);
      address.searchParams.set("q", question);
      address.searchParams.set("part", "list");
      const at = document.querySelector(".search input[name=at]");
      if (at) address.searchParams.set("at", at.value);
      const response = await fetch(address).catch(() => null);
      if (!response || !response.ok || asked !== question) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      found.replaceChildren(...page.body.childNodes);
      found.hidden = false;
    }, 120);
  });
  document.addEventListener("keydown", (event) => {
    if (found.hidden || !event.target.closest || !event.target.closest(".search")) return;
    if (event.key === "Escape") {
      close();
      field.focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const links = [...found.querySelectorAll("a")];
    const next = links[links.indexOf(document.activeElement) + step];
    (next || field).focus();
  });
  document.addEventListener("focusin", (event) => {
    if (!event.target.closest(".search")) close();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) close();
  });
}

// ---- A newer revision ----
// An open page of NOW says when the code has changed since. The page of help is small, and costs
// nothing while the revision is the same.
const CHECK = 5_000;

async function check() {
  const here = get("revision");
  if (document.hidden || !here || get("newer") || new URL(location).searchParams.has("at")) return;
  const response = await fetch("/help", { headers: { Accept: "text/html" } }).catch(() => null);
  if (!response || !response.ok) return;
  const text = await response.text().catch(() => "");
  const there = new DOMParser().parseFromString(text, "text/html").getElementById("revision");
  // The reader may have gone on meanwhile.
  if (here !== get("revision") || !there || there.textContent === here.textContent) return;
  const told = document.createElement("p");
  Object.assign(told, { id: "newer", className: "problem" });
  told.setAttribute("role", "status");
  const again = document.createElement("a");
  Object.assign(again, { href: location.href, textContent: "Show the newest revision" });
  again.addEventListener("click", (event) => {
    event.preventDefault();
    visit(location.href, "replace");
  });
  told.append("The code has changed since this page was made. ", again, ".");
  get("main").prepend(told);
}
setInterval(check, CHECK);
document.addEventListener("visibilitychange", check);

// ---- Lines ----
function range() {
  const match = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash);
  if (!match) return null;
  const ends = [Number(match[1]), Number(match[2] || match[1])];
  return [Math.min(...ends), Math.max(...ends)];
}

// Shows the lines of the address; another part of the file if they are not on this page.
function lines() {
  const source = document.querySelector(".source");
  for (const line of document.querySelectorAll(".code .on")) line.classList.remove("on");
  const wanted = range();
  if (!source || !wanted) return;
  const first = get("L" + wanted[0]);
  if (!first) {
    const address = new URL(location);
    if (!location.pathname.startsWith("/f/") || address.searchParams.get("line") === String(wanted[0])) return;
    address.searchParams.delete("from");
    address.searchParams.set("line", wanted[0]);
    visit(address.href, "replace");
    return;
  }
  for (let at = wanted[0]; at <= wanted[1]; at += 1) {
    const line = get("L" + at);
    if (!line) break;
    line.classList.add("on");
  }
  first.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", lines);

document.addEventListener("click", (event) => {
  const numbers = event.target.closest && event.target.closest(".numbers");
  if (!numbers) return;
  const source = numbers.parentElement;
  const count = source.dataset.last - source.dataset.first + 1;
  const style = getComputedStyle(numbers);
  const inner = numbers.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  const y = event.clientY - numbers.getBoundingClientRect().top - parseFloat(style.paddingTop);
  const line = Number(source.dataset.first) + Math.min(count - 1, Math.max(0, Math.floor((y / inner) * count)));
  const before = range();
  const hash = event.shiftKey && before ? `#L${Math.min(before[0], line)}-L${Math.max(before[1], line)}` : `#L${line}`;
  history.replaceState(null, "", hash);
  lines();
});

// ---- Keys ----
const GO = { o: "/", q: "/quality", h: "/hotspots", r: "/log", m: "/graph/modules" };
let before = "";

function go(path) {
  const at = new URL(location).searchParams.get("at");
  location.assign(at ? `${path}?at=${encodeURIComponent(at)}` : path);
}

function search(event) {
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "k") return search(event);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (target.matches && target.matches("input:not([type=range]):not([type=checkbox]), textarea, select")) return;
  const key = event.key;
  const last = before;
  before = key;
  if (last === "g" && GO[key]) return go(GO[key]);
  const step = { "[": "older", "]": "newer" }[key];
  if (step) {
    const link = get(step);
    if (link) visit(link.getAttribute("href"), "push");
    return;
  }
  if (key === "/") {
    search(event);
  } else if (key === "t") {
    go("/f/");
  } else if (key === "y") {
    const revision = get("revision");
    if (!revision) return;
    const address = new URL(location);
    address.searchParams.set("at", revision.textContent);
    visit(address.href, "replace");
  } else if (key === "?") {
    go("/help");
  }
});

prepare("");
