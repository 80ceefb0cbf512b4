// The list of pages: thumbnails, what was found, and which one is shown.

export class PageList {
  #root;
  #server;
  #choose;
  #items = new Map();
  #observer;

  constructor(root, server, choose) {
    this.#root = root;
    this.#server = server;
    this.#choose = choose;
    this.#observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.#load(target.pageItem);
    }, { root, rootMargin: "200px" });
  }

  /** Draws the list of a book, with one page marked as shown. */
  draw(book, chosen) {
    const wanted = [];
    for (const scan of book.scans) {
      if (book.scans.length > 1) wanted.push(this.#heading(scan));
      scan.pages.forEach((page, index) => wanted.push(this.#item(scan, page, index, page.key === chosen)));
    }
    const kept = new Set(wanted);
    for (const child of [...this.#root.children]) if (!kept.has(child)) child.remove();
    wanted.forEach((element, index) => {
      if (this.#root.children[index] !== element) this.#root.insertBefore(element, this.#root.children[index] ?? null);
    });
  }

  reveal(key) {
    this.#items.get(key)?.element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #heading(scan) {
    let heading = this.#items.get(scan.id);
    if (!heading) {
      heading = document.createElement("li");
      heading.className = "scan";
      this.#items.set(scan.id, heading);
    }
    heading.textContent = scan.title;
    return heading;
  }

  #item(scan, page, index, isChosen) {
    let item = this.#items.get(page.key);
    if (!item) {
      item = this.#make(page.key);
      this.#items.set(page.key, item);
    }
    const isLook = [page.turn, page.mode ?? scan.mode, page.amount ?? scan.amount].join();
    const content = `${page.number} ${isLook}`;
    item.scan = scan.id;
    item.page = page.number;
    if (item.content !== content) {
      item.content = content;
      item.isLoaded = false;
      this.#observer.unobserve(item.button);
      this.#observer.observe(item.button);
    }
    item.place.textContent = `Page ${index + 1}`;
    const { text, kind } = stateOf(page);
    item.state.textContent = text;
    item.state.className = `found ${kind}`;
    item.button.ariaCurrent = isChosen ? "true" : null;
    return item.element;
  }

  #make(key) {
    const element = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    const picture = document.createElement("img");
    picture.alt = "";
    const place = document.createElement("span"), state = document.createElement("span");
    place.className = "place";
    button.append(picture, place, state);
    element.append(button);
    button.addEventListener("click", () => this.#choose(key));
    const item = { element, button, picture, place, state };
    button.pageItem = item;
    return item;
  }

  async #load(item) {
    if (item.isLoaded) return;
    item.isLoaded = true;
    const { content } = item;
    try {
      const { blob } = await this.#server.picture("/api/flat", { scan: item.scan, page: item.page, side: 240, thumbnail: 1 });
      if (item.content !== content) return;
      URL.revokeObjectURL(item.picture.src);
      item.picture.src = URL.createObjectURL(blob);
    } catch {
      // A thumbnail is no more than a help; what is wrong is told when the page is chosen.
      item.isLoaded = false;
    }
  }
}

/** How a page came by its outline, in words; never by colour alone. */
export function stateOf(page) {
  const sure = page.confidence == null ? "" : `${Math.round(page.confidence * 100)} % sure`;
  switch (page.found) {
    case "not-found": return { text: "✗ no page found", kind: "bad" };
    case "detected": return page.isUnsure ? { text: `? ${sure}`, kind: "unsure" } : { text: `✓ ${sure || "found"}`, kind: "good" };
    case "manual": return { text: "✓ set by hand", kind: "good" };
    case "whole": return { text: "✓ whole photo", kind: "good" };
    default: return { text: page.found, kind: "unsure" };
  }
}
