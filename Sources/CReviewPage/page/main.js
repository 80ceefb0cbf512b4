// The page as a whole: which page of which scan is shown, and what each control does.

import { Book } from "./book.js";
import { isConvex, ordered, roughAspect, wholeOf } from "./geometry.js";
import { PageList } from "./list.js";
import { Preview } from "./preview.js";
import { Refusal, Server } from "./server.js";
import { Stage } from "./stage.js";

/** The longest side of the small copy of a photo that is dragged over and warped here. */
const overviewSide = 1600;
/** How long the keys have to be still before what they moved is saved. */
const keyPause = 500;
/** How long a note stays. */
const notePause = 6000;

const element = (id) => document.getElementById(id);
const title = element("title"), next = element("next"), message = element("message");
const modes = [...document.querySelectorAll("input[name=mode]")];

let server, book, stage, preview, list;
/** The key of the page that is shown, and what is known of it. */
let chosen = null;
let shown = { number: null, photo: null, look: null };
/** The detector's outlines for the page that is shown, and which was taken last. */
let guesses = null;
let aspect = 1;
let nudged = 0;
let isOver = false;

start();

async function start() {
  try {
    server = await Server.enter();
  } catch (error) {
    return over("Not here", error.message);
  }
  book = new Book(server);
  preview = new Preview(element("live"), element("true"));
  list = new PageList(element("pages"), server, (key) => choose(key));
  stage = new Stage({
    root: element("stage"), canvas: element("photo-canvas"), loupe: element("loupe"), handles: element("handles"),
    announcer: element("announcer"), fetchPart,
  });
  book.addEventListener("change", draw);
  book.addEventListener("note", ({ detail }) => tell(detail));
  book.addEventListener("failure", ({ detail }) => failed(detail));
  stage.addEventListener("move", moved);
  stage.addEventListener("settle", ({ detail }) => settled(detail.shift));
  stage.addEventListener("nudge", () => {
    clearTimeout(nudged);
    nudged = setTimeout(flushKeys, keyPause);
  });
  wire();
  try {
    await book.load();
  } catch (error) {
    return failed(error);
  }
  const first = book.pages.find(({ page }) => page.isUnsure) ?? book.pages[0];
  if (!first) return over("Nothing here", "The scans are not in the library any more.");
  await choose(first.page.key);
}

// Showing

const current = () => book.find(chosen);

async function choose(key) {
  flushKeys();
  chosen = key;
  guesses = null;
  draw();
  list.reveal(key);
  window.scrollTo({ top: 0 });
}

/** Draws everything that follows from the book; pictures are fetched when they are others than those that are shown. */
function draw() {
  if (isOver) return;
  let found = current();
  if (!found) {
    found = book.pages[0];
    if (!found) return;
    chosen = found.page.key;
  }
  const { scan, page, index } = found;
  list.draw(book, chosen);
  if (document.activeElement !== title) title.value = scan.title;
  title.disabled = false;
  const state = element("save-state");
  state.textContent = { saved: book.isDraft ? "Stored when you press Done" : "All changes saved", saving: "Saving …", failed: "Not saved" }[book.state];
  state.dataset.state = book.state;
  element("undo").disabled = !book.canUndo;
  element("redo").disabled = !book.canRedo;
  element("undo").title = book.undoLabel ? `Undo: ${book.undoLabel}` : "";
  element("redo").title = book.redoLabel ? `Redo: ${book.redoLabel}` : "";
  const mode = page.mode ?? scan.mode;
  for (const input of modes) input.checked = input.value === mode;
  element("mode-all").hidden = scan.pages.length < 2;
  element("paper").value = page.paperChoice ?? "auto";
  element("order").hidden = scan.pages.length < 2;
  element("earlier").disabled = index === 0;
  element("later").disabled = index === scan.pages.length - 1;
  element("hint").textContent = hint(page);
  drawFacts(page);
  drawProgress(page);
  showPhoto(scan, page);
  showFlat(scan, page, mode);
}

function hint(page) {
  if (page.found === "not-found") return "No page was found: drag the corners onto its corners.";
  if (page.isUnsure) return "Is this the page? If not, drag the corners onto its corners.";
  return "Drag the corners onto the corners of the page.";
}

function drawFacts(page) {
  const [width, height] = page.turn % 2 ? [page.height, page.width] : [page.width, page.height];
  const paper = page.paper && [...element("paper").options].find(({ value }) => value === page.paper)?.text;
  element("page-facts").textContent = `${width} × ${height} pixels${paper ? `, ${paper}` : ""}`;
}

function drawProgress(page) {
  const left = book.pages.filter((other) => other.page.isUnsure).length;
  element("progress").textContent = left > 0 ? `${left} still to look at` : "All looked at";
  element("previous").disabled = neighbour(-1) === undefined;
  const isLast = nextKey() === undefined;
  const right = page.found === "not-found" ? "Keep whole photo" : "Looks right";
  next.textContent = page.isUnsure ? (isLast ? right : `${right}, next`) : isLast ? "Done" : "Next page";
}

const neighbour = (step) => {
  const pages = book.pages;
  return pages[pages.findIndex(({ page }) => page.key === chosen) + step]?.page.key;
};

/** The page to go to: the next one that needs a look, or else the one that follows. */
function nextKey() {
  const pages = book.pages;
  const here = pages.findIndex(({ page }) => page.key === chosen);
  const around = [...pages.slice(here + 1), ...pages.slice(0, here)];
  return (around.find(({ page }) => page.isUnsure) ?? pages[here + 1])?.page.key;
}

async function showPhoto(scan, page) {
  const { key } = page;
  if (shown.photo === key) {
    // The program's word on the outline counts, unless it is just being moved.
    if (!stage.isMoving && !nudged && book.state !== "saving") stage.setCorners(page.corners);
    return;
  }
  shown.photo = key;
  stage.clear();
  preview.clear();
  shown.look = null;
  element("busy").hidden = false;
  try {
    const { blob, photoSize, paper } = await server.picture("/api/photo", { scan: scan.id, page: page.number, side: overviewSide });
    const bitmap = await createImageBitmap(blob);
    if (shown.photo !== key) return bitmap.close();
    const now = book.find(key)?.page;
    // Which paper was chosen is known only when the photo has been looked at.
    if (now?.number === page.number) now.paperChoice ??= paper;
    element("paper").value = now?.paperChoice ?? "auto";
    stage.setPhoto(bitmap, photoSize);
    stage.setCorners(book.find(key)?.page.corners);
    preview.setPhoto(pixels(bitmap), bitmap.width / photoSize[0]);
    aspect = page.width / page.height;
    if (shown.look === null) drawLive();
  } catch (error) {
    if (shown.photo === key) failed(error);
  } finally {
    if (shown.photo === key) element("busy").hidden = true;
  }
}

function pixels(bitmap) {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

/** Fetches the true flat page. */
async function showFlat(scan, page, mode) {
  if (book.state === "saving" || stage.isMoving) return;
  const look = [page.key, page.number, page.turn, mode, page.amount ?? scan.amount].join();
  if (shown.look === look) return;
  shown.look = look;
  aspect = page.width / page.height;
  const box = element("flat");
  const side = Math.round(Math.max(box.clientWidth, box.clientHeight) * devicePixelRatio);
  try {
    const { blob } = await server.picture("/api/flat", { scan: scan.id, page: page.number, side });
    if (shown.look === look && !stage.isMoving) await preview.showTrue(blob, `The flat page, ${mode}`);
  } catch (error) {
    // Made anew meanwhile: the newer one is on its way.
    if (shown.look === look && error.status !== 409) failed(error);
  }
}

async function fetchPart(query) {
  const { scan, page } = current();
  const { blob, part } = await server.picture("/api/photo", { scan: scan.id, page: page.number, ...query });
  return { bitmap: await createImageBitmap(blob), part };
}

// The outline

let isDrawing = false;

function drawLive() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    const found = current();
    if (!found || !stage.corners) return;
    preview.drawLive(stage.corners, { aspect, turn: found.page.turn, mode: found.page.mode ?? found.scan.mode });
  });
}

function moved() {
  shown.look = null;
  aspect = roughAspect(stage.corners) * correction;
  drawLive();
  askShape();
}

/** What the true proportions were over the rough ones when the program was last asked. */
let correction = 1;
let isAsking = false;

async function askShape() {
  if (isAsking) return;
  isAsking = true;
  const { corners } = stage;
  try {
    const { scan, page } = current();
    const answer = await server.get("/api/shape", {
      scan: scan.id, page: page.number, corners: corners.flat().join(),
    });
    if (answer.aspect) correction = answer.aspect / roughAspect(corners);
    element("hint").textContent = answer.problem ? `This can't be a page: ${answer.problem}.` : hint(page);
  } catch {
    // The rough proportions do for the moment; saving tells what is wrong.
  } finally {
    isAsking = false;
  }
  if (stage.corners && stage.corners !== corners && stage.isMoving) askShape();
  else if (shown.look === null && stage.corners) {
    aspect = roughAspect(stage.corners) * correction;
    drawLive();
  }
}

function flushKeys(isLast = false) {
  if (!nudged) return;
  clearTimeout(nudged);
  nudged = 0;
  isClosing = isLast;
  stage.settleKeys();
  isClosing = false;
}

let isClosing = false;

/** Saves the outline; `shift` tells by how many corners its beginning has moved, which a turn makes up for. */
function settled(shift) {
  setCorners(stage.corners, shift, "outline");
}

function setCorners(corners, shift, label) {
  book.changePage(chosen, label, { action: "corners", corners, turn: shift }, isClosing);
}

async function nextGuess() {
  const { scan, page } = current();
  if (guesses === null) {
    guesses = { at: -1, outlines: await server.get("/api/guesses", { scan: scan.id, page: page.number }) };
    // The one it has is no news.
    guesses.outlines = guesses.outlines.filter(({ corners }) => !isNear(corners, stage.corners));
  }
  if (guesses.outlines.length === 0) return tell("There is no other guess. Drag the corners by hand.");
  guesses.at = (guesses.at + 1) % guesses.outlines.length;
  const outline = guesses.outlines[guesses.at];
  const { corners, shift } = ordered(outline.corners);
  if (!isConvex(corners)) return;
  tell(`Guess ${guesses.at + 1} of ${guesses.outlines.length}`);
  stage.setCorners(corners);
  moved();
  setCorners(corners, shift, "guess");
}

function isNear(one, other) {
  const limit = 0.01 * Math.max(...stage.size);
  return one.every(([x, y], index) => Math.hypot(x - other[index][0], y - other[index][1]) < limit);
}

// Controls

function wire() {
  const on = (id, act) => element(id).addEventListener("click", async () => {
    flushKeys();
    // What a note says of the last step isn't so any more.
    if (isBrief) message.hidden = true;
    try {
      await act();
    } catch (error) {
      failed(error);
    }
  });
  on("undo", () => book.undo());
  on("redo", () => book.redo());
  on("done", done);
  on("zoom-in", () => stage.zoom(1.5));
  on("zoom-out", () => stage.zoom(1 / 1.5));
  on("zoom-fit", () => stage.fit());
  on("guess", nextGuess);
  on("detect", () => book.changePage(chosen, "detection", { action: "detect" }));
  on("whole", () => book.changePage(chosen, "whole photo", { action: "whole" }));
  on("turn-left", () => book.changePage(chosen, "turn", { action: "turn", turn: 3 }));
  on("turn-right", () => book.changePage(chosen, "turn", { action: "turn", turn: 1 }));
  on("mode-all", () => book.changeAllModes(chosen, modes.find(({ checked }) => checked).value));
  on("earlier", () => book.move(chosen, -1));
  on("later", () => book.move(chosen, 1));
  on("remove", remove);
  on("previous", () => choose(neighbour(-1)));
  on("next", goOn);
  on("message-close", () => { message.hidden = true; });
  for (const input of modes) {
    input.addEventListener("change", () => {
      const { scan } = current();
      book.changePage(chosen, "look", { action: "mode", mode: input.value, all: scan.pages.length === 1 });
    });
  }
  element("paper").addEventListener("change", ({ target }) => {
    current().page.paperChoice = target.value;
    book.changePage(chosen, "paper", { action: "paper", paper: target.value });
  });
  title.addEventListener("change", rename);
  title.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") title.blur();
    if (key === "Escape") {
      title.value = current().scan.title;
      title.blur();
    }
  });
  document.addEventListener("keydown", shortcut);
  // A phone may throw the tab away when it is out of sight.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") flushKeys(true);
    else refresh();
  });
  window.addEventListener("focus", refresh);
  window.addEventListener("pagehide", () => {
    if (isOver) return;
    flushKeys(true);
    server.leave();
  });
}

function shortcut(event) {
  if (event.target === title) return;
  const control = event.ctrlKey || event.metaKey;
  const acts = {
    "control z": "undo", "control Z": "redo", "control y": "redo", " PageDown": "next", " PageUp": "previous",
    " +": "zoom-in", " -": "zoom-out", " 0": "zoom-fit",
  };
  const id = acts[`${control ? "control" : ""} ${event.key}`];
  if (!id || event.altKey) return;
  event.preventDefault();
  element(id).click();
}

async function goOn() {
  const { page } = current();
  const goal = nextKey();
  if (page.isUnsure) {
    book.changePage(
      chosen, "looks right",
      page.corners ? { action: "corners", corners: page.corners, turn: 0 } : { action: "whole" });
  }
  if (goal !== undefined) return choose(goal);
  if (!page.isUnsure) await done();
}

async function remove() {
  const { scan, page } = current();
  const goal = neighbour(1) ?? neighbour(-1);
  const { key } = page;
  if (scan.pages.length < 2) return;
  if (goal !== undefined) choose(goal);
  await book.remove(key);
  if (book.state === "saved") tell("The page was removed.", "Undo", () => book.undo());
}

function rename() {
  const { scan } = current();
  const text = title.value.trim();
  if (!text || text === scan.title) {
    title.value = scan.title;
    return;
  }
  book.rename(scan.id, text);
}

/** Looks for changes that came from elsewhere. */
async function refresh() {
  if (isOver || !book || book.state === "saving" || nudged) return;
  try {
    await book.load();
  } catch (error) {
    failed(error);
  }
}

async function done() {
  await book.settled();
  if (book.state === "failed") return tell("The last change was not saved. Make it again, or close the tab to leave it.");
  if (book.isDraft) tell("Storing …");
  await server.done();
  over("Done", `Everything is ${book.isDraft ? "stored in the library" : "saved"}. You can close this tab.`);
}

// Telling

let noteTimer = 0;
/** Whether the message is a note that goes by itself. */
let isBrief = false;

function tell(text, action, act) {
  element("message-text").textContent = text;
  const button = element("message-action");
  button.hidden = !action;
  button.textContent = action ?? "";
  button.onclick = () => {
    message.hidden = true;
    act();
  };
  message.hidden = false;
  clearTimeout(noteTimer);
  isBrief = text.length < 60;
  if (isBrief) noteTimer = setTimeout(() => { message.hidden = true; }, notePause);
}

function failed(error) {
  if (!(error instanceof Refusal)) {
    console.error(error);
    return tell("Something went wrong in this page. Load it again; what was saved is kept.");
  }
  if (error.status === 409) {
    shown.look = null;
    const again = book.refused;
    return tell(
      `${error.message} What you see now is that; your own change was not saved.`, again ? "Save mine all the same" : undefined, again);
  }
  if ([0, 401, 423].includes(error.status)) {
    return over(error.status === 423 ? "Locked" : "The review has ended", error.message);
  }
  tell(error.message);
}

function over(heading, text) {
  isOver = true;
  element("end-heading").textContent = heading;
  element("end-text").textContent = text;
  element("end").hidden = false;
  document.querySelector("main").inert = true;
  for (const part of document.querySelectorAll("header, footer")) part.inert = true;
  message.hidden = true;
}
