// The connection to the worker that runs Python.

/** Starts the worker on demand, and sends it one request at a time. */
export class Python {
  #worker = null;
  #current = null;
  #waiting = new Map();
  #events;

  /**
   * @param events functions to call: `progress(loaded, total)`, `ready(versions)`,
   *   `notLoaded(message)`, `failed(message)`, `answered(answer, request, times)`
   */
  constructor(events) {
    this.#events = events;
  }

  /** Start the worker, unless it runs already. */
  start() {
    if (this.#worker === null) {
      this.#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
      this.#worker.addEventListener("message", ({ data }) => this.#received(data));
      this.#worker.addEventListener("error", (event) => {
        this.#events.notLoaded(event.message || "the script of the worker is missing");
      });
    }
  }

  /**
   * Ask Python for an answer.
   *
   * Requests wait while the worker is busy. A new request replaces a waiting one with the same key,
   * so typing never builds up a queue.
   *
   * @param create creates the request when it is sent, from the input at that time
   * @param key the key of the request; requests with different keys are all answered, in order
   */
  ask(create, key) {
    this.start();
    this.#waiting.delete(key);
    this.#waiting.set(key, create);
    this.#sendNext();
  }

  /** Whether no request waits for an answer. */
  get isIdle() {
    return this.#current === null && this.#waiting.size === 0;
  }

  #sendNext() {
    const [next] = this.#waiting;
    if (next === undefined || this.#current !== null) {
      return;
    }
    const [key, create] = next;
    this.#waiting.delete(key);
    this.#current = { request: create(), begun: performance.now() };
    this.#worker.postMessage(this.#current.request);
  }

  #received(data) {
    if (data.kind === "progress") {
      this.#events.progress(data.loaded, data.total);
    } else if (data.kind === "ready") {
      this.#events.ready(data);
    } else if (data.kind === "failed") {
      this.#events.notLoaded(data.message);
    } else {
      const { request, begun } = this.#current;
      this.#current = null;
      if (data.answer === null) {
        this.#events.failed(data.message);
      } else {
        this.#events.answered(data.answer, request, { begun, worker: data.milliseconds });
      }
      this.#sendNext();
    }
  }
}
