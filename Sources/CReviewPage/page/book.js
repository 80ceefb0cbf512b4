// The scans in review as the program has them, the changes on their way to it, and the way back.

import { Refusal } from "./server.js";

/** Fires "change" when something is to be drawn anew, and "note" with a sentence for the person. */
export class Book extends EventTarget {
  scans = [];
  /** Whether the scans are stored only when it is done. */
  isDraft = false;
  /** "saved", "saving" or "failed". */
  state = "saved";
  #server;
  #past = [];
  #future = [];
  #queue = Promise.resolve();
  #waiting = 0;
  #nextKey = 1;
  /** The change that was refused because things had changed, to be made all the same if the person wants. */
  refused = null;

  constructor(server) {
    super();
    this.#server = server;
  }

  async load() {
    const { scans, isDraft } = await this.#server.get("/api/scans");
    this.isDraft = isDraft;
    const old = this.scans;
    this.scans = scans.map((scan) => this.#keyed(scan, old.find(({ id }) => id === scan.id)));
    this.#changed();
  }

  /** Pages have a key that stays when the program numbers them anew. */
  #keyed(scan, old, renumbered = new Map()) {
    const keys = new Map(old?.pages.map(({ number, key }) => [number, key]));
    for (const [key, number] of renumbered) keys.set(number, key);
    for (const page of scan.pages) page.key = keys.get(page.number) ?? this.#nextKey++;
    return scan;
  }

  #take(scan, renumbered) {
    const index = this.scans.findIndex(({ id }) => id === scan.id);
    this.scans[index] = this.#keyed(scan, this.scans[index], renumbered);
  }

  /** All pages in the order in which they are shown. */
  get pages() {
    return this.scans.flatMap((scan) => scan.pages.map((page, index) => ({ scan, page, index })));
  }

  find(key) {
    return this.pages.find(({ page }) => page.key === key);
  }

  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }
  get undoLabel() { return this.#past.at(-1)?.label; }
  get redoLabel() { return this.#future.at(-1)?.label; }

  // Changes

  /** Changes a page's outline, turn or mode. */
  changePage(key, label, change, isLast = false) {
    return this.#do({
      label,
      async run(book) {
        this.before = book.#snapshot(key);
        await book.#send(key, change, isLast);
        this.after = book.#snapshot(key);
      },
      undo: function (book) { return book.#restore(key, this.before); },
      redo: function (book) { return book.#restore(key, this.after); },
    });
  }

  /** Sets the mode of all of a scan's pages. */
  changeAllModes(key, mode) {
    const id = this.find(key).scan.id;
    return this.#do({
      label: "mode of all pages",
      async run(book) {
        this.before = book.#looks(id);
        await book.#send(key, { action: "mode", mode, all: true });
        this.after = book.#looks(id);
      },
      undo: function (book) { return book.#restoreLooks(id, this.before); },
      redo: function (book) { return book.#restoreLooks(id, this.after); },
    });
  }

  rename(id, title) {
    const set = (book, to) => book.#sendScan(id, (scan) => ({ action: "title", title: to, seenTitle: scan.title }));
    return this.#do({
      label: "title",
      async run(book) {
        this.before = book.#scan(id).title;
        await set(book, title);
      },
      undo: function (book) { return set(book, this.before); },
      redo: (book) => set(book, title),
    });
  }

  /** Moves a page by some places within its scan. */
  move(key, step) {
    const id = this.find(key).scan.id;
    return this.#do({
      label: "order",
      async run(book) {
        this.before = book.#scan(id).pages.map((page) => page.key);
        const index = this.before.indexOf(key);
        this.after = this.before.filter((other) => other !== key);
        this.after.splice(Math.min(Math.max(index + step, 0), this.after.length), 0, key);
        await book.#reorder(id, this.after);
      },
      undo: function (book) { return book.#reorder(id, this.before); },
      redo: function (book) { return book.#reorder(id, this.after); },
    });
  }

  remove(key) {
    const id = this.find(key).scan.id;
    const takeOut = async (book, change) => {
      const { page, index } = book.find(key);
      change.number = page.number;
      change.place = index;
      await book.#send(key, { action: "remove" });
    };
    return this.#do({
      label: "page removed",
      run(book) { return takeOut(book, this); },
      undo: async function (book) {
        const answer = await book.#server.edit({ action: "putBack", scan: id, page: this.number, place: this.place });
        book.#take(answer.scan, new Map([[key, answer.page]]));
      },
      redo: function (book) { return takeOut(book, this); },
    });
  }

  undo() { return this.#step(this.#past, this.#future, (change) => change.undo(this)); }
  redo() { return this.#step(this.#future, this.#past, (change) => change.redo(this)); }

  /** Resolves when nothing is on its way any more. */
  async settled() {
    while (this.#waiting > 0) await this.#queue;
  }

  // Sending, one after the other

  #do(change) {
    return this.#enqueue(async () => {
      await change.run(this);
      this.#past.push(change);
      this.#future = [];
    }, () => this.#do(change));
  }

  #step(from, to, act) {
    return this.#enqueue(async () => {
      const change = from.pop();
      if (!change) return;
      await act(change);
      to.push(change);
      this.dispatchEvent(new CustomEvent("note", { detail: `${from === this.#past ? "Undone" : "Redone"}: ${change.label}` }));
    });
  }

  #enqueue(work, again) {
    this.#waiting += 1;
    this.state = "saving";
    this.refused = null;
    this.#changed();
    this.#queue = this.#queue.then(work).then(
      () => { this.state = "saved"; },
      (error) => this.#fail(error, again),
    ).finally(() => {
      this.#waiting -= 1;
      if (this.#waiting > 0) this.state = "saving";
      this.#changed();
    });
    return this.#queue;
  }

  #fail(error, again) {
    if (!(error instanceof Refusal)) console.error(error);
    this.state = "failed";
    if (error.scan) {
      // Somebody else's change is shown; what was done before it can't be undone any more.
      this.#take(error.scan);
      this.#past = [];
      this.#future = [];
      this.refused = again ?? null;
    }
    this.dispatchEvent(new CustomEvent("failure", { detail: error }));
  }

  #scan(id) {
    const scan = this.scans.find((other) => other.id === id);
    if (!scan) throw new Refusal(410, "This scan is not in the library any more.");
    return scan;
  }

  async #send(key, change, isLast) {
    const found = this.find(key);
    if (!found) throw new Refusal(410, "This page is not in the scan any more.");
    const { scan, page } = found;
    const answer = await this.#server.edit(
      { ...change, scan: scan.id, page: page.number, seen: look(page) }, isLast);
    this.#take(answer.scan, answer.page == null ? undefined : new Map([[key, answer.page]]));
    if (answer.note) this.dispatchEvent(new CustomEvent("note", { detail: answer.note }));
  }

  async #sendScan(id, change) {
    const answer = await this.#server.edit({ ...change(this.#scan(id)), scan: id });
    this.#take(answer.scan);
  }

  #snapshot(key) {
    const { page } = this.find(key);
    return { of: page.number, look: look(page) };
  }

  #restore(key, { of, look }) {
    return this.#send(key, { action: "restore", of, look });
  }

  #looks(id) {
    const { mode, amount, pages } = this.#scan(id);
    return { mode, amount, looks: new Map(pages.map((page) => [page.key, look(page)])) };
  }

  #restoreLooks(id, { mode, amount, looks }) {
    return this.#sendScan(id, (scan) => ({
      action: "looks", mode, amount, seenMode: scan.mode,
      looks: Object.fromEntries(scan.pages.map((page) => {
        const old = looks.get(page.key);
        return [page.number, { ...look(page), ...(old && { mode: old.mode, amount: old.amount }) }];
      })),
    }));
  }

  #reorder(id, keys) {
    return this.#sendScan(id, (scan) => {
      const known = keys.filter((key) => scan.pages.some((page) => page.key === key));
      return {
        action: "order", seenOrder: scan.pages.map(({ number }) => number),
        order: known.map((key) => scan.pages.find((page) => page.key === key).number),
      };
    });
  }

  #changed() { this.dispatchEvent(new Event("change")); }
}

function look({ turn, mode, amount }) {
  return { turn, mode: mode ?? undefined, amount: amount ?? undefined };
}
