/**
 * A small event emitter. `on` returns a function that ends the subscription.
 *
 * A listener that throws does not keep the others from hearing; its error is thrown again after the last of them.
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
   * @returns {() => void} ends it; to call it twice is harmless
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
   * Say that `name` has happened.
   * @param {string} name
   * @param {unknown} [value] handed to each listener
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
