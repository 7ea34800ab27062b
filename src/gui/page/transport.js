// How frames reach the engine: by a WebSocket to the program. The static site has another file of this name with the
// same class, which runs the engine in workers.

/** Whether others can open this page by its address: that of the program is for its own machine. */
export const IS_PUBLIC = false;

export class Transport {
  #socket;
  isOpen = false;
  onOpen = () => {};
  onFrame = (/** @type {string} */ _frame) => {};
  onClose = () => {};
  /** Called when the engine cannot run. */
  onFailure = (/** @type {Error} */ _error) => {};

  constructor() {
    const address = new URL("socket", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new WebSocket(address.href);
    this.#socket.addEventListener("open", () => {
      this.isOpen = true;
      this.onOpen();
    });
    this.#socket.addEventListener("message", (event) => this.onFrame(event.data));
    this.#socket.addEventListener("close", () => {
      this.isOpen = false;
      this.onClose();
    });
  }

  close() {
    this.onClose = () => {};
    this.#socket.close();
  }

  /** Sends a line of the protocol or a JSON message. */
  send(/** @type {string} */ frame) {
    this.#socket.send(frame);
  }
}
