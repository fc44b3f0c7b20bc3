/**
 * A small event emitter. `on` returns a function that ends the subscription.
 *
 * If a listener throws, the other listeners are still called. Its error is thrown again at the end.
 */

/** @typedef {(value?: unknown) => void} Listener */

export class Emitter {
  constructor() {
    /** @type {Map<string, Set<Listener>>} */
    this.listeners = new Map();
  }

  /**
   * Call `listener` each time `name` happens.
   * @param {string} name
   * @param {Listener} listener
   * @returns {() => void} ends it; a second call has no effect
   */
  on(name, listener) {
    const known = this.listeners.get(name) ?? new Set();
    known.add(listener);
    this.listeners.set(name, known);
    return () => {
      known.delete(listener);
    };
  }

  /**
   * Report that `name` has happened.
   * @param {string} name
   * @param {unknown} [value] passed to each listener
   */
  emit(name, value) {
    /** @type {unknown[]} */
    const errors = [];
    for (const listener of [...(this.listeners.get(name) ?? [])]) {
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw errors[0];
    }
  }
}
