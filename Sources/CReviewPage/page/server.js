// The program behind the page. The token in the address is good for one entry; the secret it gives is kept for this tab
// alone, and shown in a header: it is never part of an address.

const secretName = "flatbed-key";

/** What the server refused, with its sentence and, where things have changed, the scan as it is now. */
export class Refusal extends Error {
  constructor(status, text, scan) {
    super(text);
    this.status = status;
    this.scan = scan;
  }
}

export class Server {
  #secret;
  /** A name for this tab, so that the program knows when the last one is closed. */
  #tab = crypto.randomUUID();

  /** Exchanges the token, or takes the secret that this tab had before it was loaded again. */
  static async enter() {
    const server = new Server();
    const token = location.hash.slice(1);
    if (token) {
      history.replaceState(null, "", location.pathname);
      const answer = await fetch("/session", { method: "POST", body: token });
      if (answer.ok) {
        sessionStorage.setItem(secretName, await answer.text());
      } else if (!sessionStorage.getItem(secretName)) {
        throw new Refusal(answer.status, entryText(await answer.text()));
      }
    }
    server.#secret = sessionStorage.getItem(secretName);
    if (!server.#secret) throw new Refusal(401, entryText("none"));
    await server.arrive();
    return server;
  }

  async arrive() {
    await this.#send("/api/arrive", { method: "POST", body: this.#tab });
  }

  /** Tells that this tab goes; the browser sends it although the page is gone. */
  leave() {
    fetch("/api/leave", this.#options({ method: "POST", body: this.#tab, keepalive: true })).catch(() => {});
  }

  async done() {
    await this.#send("/api/done", { method: "POST", body: "" });
    sessionStorage.removeItem(secretName);
  }

  async get(path, query = {}) {
    return (await this.#send(address(path, query))).json();
  }

  /** A picture, with what its headers tell. */
  async picture(path, query = {}) {
    const answer = await this.#send(address(path, query));
    const numbers = (name) => answer.headers.get(name)?.split(",").map(Number);
    return { blob: await answer.blob(), photoSize: numbers("X-Photo-Size"), part: numbers("X-Part"), paper: answer.headers.get("X-Paper") ?? undefined };
  }

  /** Makes a change. With `isLast` it goes on although the page is being closed. */
  async edit(change, isLast = false) {
    const answer = await this.#send("/api/edit", {
      method: "POST", body: JSON.stringify(change), keepalive: isLast,
    });
    return answer.json();
  }

  #options(options) {
    return { ...options, headers: { "X-Flatbed-Key": this.#secret } };
  }

  async #send(path, options = {}) {
    let answer;
    try {
      answer = await fetch(path, this.#options(options));
    } catch {
      throw new Refusal(0, "Flatbed has ended, or can't be reached. What was saved is kept.");
    }
    if (answer.ok) return answer;
    if (answer.status === 401) throw new Refusal(401, entryText("none"));
    let text = `The program answered with ${answer.status}.`, scan;
    try {
      ({ error: text, scan } = await answer.json());
    } catch {
      // The rules of entry answer in plain text: the number tells enough.
    }
    throw new Refusal(answer.status, text, scan);
  }
}

function address(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

function entryText(reason) {
  switch (reason) {
    case "used":
      return "This address has been used already, in another tab. Go on there, or run “flatbed review” again.";
    case "expired":
      return "This address has expired. Run “flatbed review” again.";
    default:
      return "This page is only for the tab that “flatbed review” opened. Run it again to have a new one.";
  }
}
