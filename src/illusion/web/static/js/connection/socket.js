// The page's connection to its table: what happens comes in, moves go out. A connection that is silent for too long
// counts as lost, whatever the browser thinks of it.

const SILENT_MS = 12_000; // the server says something every five seconds
const ANSWER_MS = 4000;
const CHECK_MS = 1000;
const RETRIES_MS = [300, 1000, 2000, 3000];
const LOST_ANSWER = { problem: {} };

/** @typedef {import('./messages.js').Problem} Problem */
/** @typedef {{ id?: number, answer?: { seq: number }, problem?: Problem }} Answer */

/**
 * @typedef {object} Listener
 * @property {() => string} address where to connect, with the last event seen
 * @property {(message: import('./messages.js').TableMessage) => void} onMessage
 * @property {(reaction: import('./messages.js').ReactionMessage) => void} onReaction
 * @property {() => void} onConnected
 * @property {() => void} onLost
 */

export class Socket {
  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.heard_ms = 0;
    this.failures = 0;
    /** @type {((answer: Answer) => void) | null} */
    this.answered = null;
    this.asked = 0; // the number of the last move that was sent
    setInterval(() => this.check(), CHECK_MS);
    addEventListener('online', () => this.connect());
    addEventListener('offline', () => this.lose());
    document.addEventListener('visibilitychange', () => this.check());
    this.connect();
  }

  connect() {
    this.drop();
    const socket = new WebSocket(this.listener.address());
    this.socket = socket;
    this.heard_ms = Date.now();
    socket.addEventListener('open', () => {
      this.failures = 0;
      this.listener.onConnected();
    });
    socket.addEventListener('message', ({ data }) => this.socket === socket && this.take(data));
    socket.addEventListener('close', () => this.socket === socket && this.lose());
  }

  /**
   * Sends a move; the answer says what became of it. One that does not come has an empty problem.
   * @param {object} move
   * @returns {Promise<Answer>}
   */
  send(move) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.resolve(LOST_ANSWER);
    this.asked += 1;
    this.socket.send(JSON.stringify({ id: this.asked, ...move }));
    const { promise, resolve } = deferred();
    this.answered = resolve;
    setTimeout(() => {
      if (this.answered === resolve) this.lose(); // nobody is there, or nothing gets through
    }, ANSWER_MS);
    return promise;
  }

  /**
   * Tells that everything up to this number has been looked at; bots wait for that after a doubt.
   * @param {number} seq
   */
  goOn(seq) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ read: seq }));
  }

  /** @param {string} data */
  take(data) {
    this.heard_ms = Date.now();
    const message = JSON.parse(data);
    if (message.event) this.listener.onMessage(message);
    else if (message.reaction) this.listener.onReaction(message.reaction);
    else if (message.id === this.asked) this.settle(message);
  }

  check() {
    if (this.socket && Date.now() - this.heard_ms > SILENT_MS) this.lose();
  }

  lose() {
    this.drop();
    this.listener.onLost();
    const wait_ms = RETRIES_MS[Math.min(this.failures, RETRIES_MS.length - 1)] ?? 0;
    this.failures += 1;
    setTimeout(() => this.socket ?? this.connect(), wait_ms * (0.75 + Math.random() / 2));
  }

  drop() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.settle(LOST_ANSWER);
  }

  /** @param {Answer} answer */
  settle(answer) {
    this.answered?.(answer);
    this.answered = null;
  }
}

const deferred = () => {
  /** @type {(answer: Answer) => void} */
  let resolve = () => {};
  /** @type {Promise<Answer>} */
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
};
